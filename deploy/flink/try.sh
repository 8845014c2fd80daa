#!/usr/bin/env bash
# A tour: a real Flink cluster and a real Kafka broker on this machine learn eight streams exactly once, lose a worker in the middle, and leave
# models that koop opens. Everything is in one folder; every process is ended when the tour ends, also by Ctrl-C.
set -euo pipefail

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -P -- "$here/../.." && pwd)
local=$here/local.sh
koop=$root/koop

fail() {
    printf 'koop flink try: %s\n' "$1" >&2
    exit "${2:-4}"
}

folder=$here/target/try
streams=8
steps=6144
seed=1
while [ $# -gt 0 ]; do
    case $1 in
    -o | --output) folder=${2:?folder}; shift 2 ;;
    --steps) steps=${2:?number}; shift 2 ;;
    --seed) seed=${2:?number}; shift 2 ;;
    *) fail "unknown option $1; there are -o FOLDER, --steps N, --seed S" 2 ;;
    esac
done
case $steps$seed in *[!0-9]*) fail "--steps and --seed must be whole numbers" 2 ;; esac
[ "$steps" -ge 1024 ] || fail "--steps $steps: the tour needs at least 1024" 2
# Four models of each stream, the last one at its end.
steps=$((steps / 4 * 4))
if [ -d "$folder" ] && [ -n "$(ls -A "$folder")" ] && [ ! -d "$folder/pids" ]; then
    fail "$folder holds other files; give an empty or new folder with -o"
fi
[ -d "$folder/pids" ] && "$local" stop "$folder"
rm -rf -- "$folder/broker" "$folder/broker.address" "$folder/checkpoints" "$folder/models" "$folder/results" "$folder/log" "$folder/tmp"
mkdir -p "$folder/pids" "$folder/results"
folder=$(cd -P -- "$folder" && pwd)

ended() {
    # Whatever comes now, the processes are ended first.
    trap '' INT TERM
    trap - EXIT
    printf '\nStopping the cluster and the broker.\n'
    "$local" stop "$folder"
}
trap ended EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

step() {
    printf '\n\033[1m%s\033[0m\n' "$1" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9;]*m//g'; fi
}

step "1. Jars: Flink and Kafka come from Maven, about 110 MB the first time; the job is built from this project."
"$local" assemble

step "2. A Flink cluster: one JobManager, which plans, and two TaskManagers, which work; three JVMs."
"$local" cluster "$folder" 2 2

step "3. A Kafka broker, with a topic for samples in, and topics for what comes out."
"$local" broker "$folder"
"$local" topic "$folder" samples 4 >/dev/null
"$local" topic "$folder" models 2 compact >/dev/null
"$local" topic "$folder" predictions 4 >/dev/null
"$local" topic "$folder" rejected 1 >/dev/null

step "4. The job: one file says everything. This is $folder/job.yaml:"
cat >"$folder/job.yaml" <<TEXT
name: try
source:
  brokers: $(cat "$folder/broker.address")
  topic: samples
  format: csv
  columns: [well, step, x1, x2]
  key: well            # one model for each
  step: step           # a lost or repeated record is noticed
  state: [x1, x2]
learn:
  kernel: 0.4*gaussian(0.4)+0.6*gaussian(0.7)
publish:
  predictions: {topic: predictions}
  models: {topic: models, folder: "file://$folder/models", every: $((steps / 4))}
  rejected: {topic: rejected}
run:
  parallelism: 4
  checkpoint: 2 s
TEXT
sed 's/^/    /' "$folder/job.yaml"
printf '\nWhat the job says it will do (--dry-run):\n'
"$local" check "$folder/job.yaml" 2>/dev/null | sed 's/^/    /'
job=$("$local" submit "$folder" "$folder/job.yaml")
printf 'Started as %s.\n' "$job"

step "5. Samples: $streams particles in four wells, $steps steps each, simulated by koop and sent to the topic; the first half now."
"$koop" simulate fourwell --trajectories "$streams" --steps "$steps" --seed "$seed" -o "$folder/results/wells.csv" --force
# key, tab, record; rows ordered by step, so that all streams grow together
first=$(head -n 1 "$folder/results/wells.csv" | tr ',' '\n' | grep -nx x1 | cut -d: -f1) || fail "no column x1 in $folder/results/wells.csv"
tail -n +2 "$folder/results/wells.csv" | sort -t, -k2,2n -k1,1n |
    awk -F, -v OFS=, -v x="$first" '{ key = "well-" $1; print key "\t" key, $2, $x, $(x + 1) }' >"$folder/results/records.txt"
half=$((streams * (steps + 1) / 2))
head -n "$half" "$folder/results/records.txt" | "$local" produce "$folder" samples
printf 'A broken record goes in too: it must not stop anything.\n'
printf 'well-0\twell-0,oops,1,2\n' | "$local" produce "$folder" samples

step "6. Now one of the two workers is killed without warning (kill -9), and another takes its place."
kill -9 "$(cat "$folder/pids/taskmanager-2.pid")"
sleep 1
"$local" taskmanager "$folder" taskmanager-3
printf 'Flink notices, goes back to its last checkpoint and reads on from there. Meanwhile the second half is sent.\n'
tail -n +"$((half + 1))" "$folder/results/records.txt" | "$local" produce "$folder" samples

step "7. Meanwhile koop learn learns the same samples on its own, stream by stream."
digest() {
    "$koop" info "$1" --json 2>/dev/null | grep -o '"digest":"[0-9a-f]*"'
}
for ((i = 0; i < streams; i++)); do
    { head -n 1 "$folder/results/wells.csv"; awk -F, -v i="$i" -v last="$steps" '$1 == i && $2 <= last' "$folder/results/wells.csv"; } >"$folder/results/one.csv"
    "$koop" learn "$folder/results/one.csv" -o "$folder/results/alone-$i.safetensors" --kernel '0.4*gaussian(0.4)+0.6*gaussian(0.7)' --force >"$folder/log/learn.out" 2>&1 ||
        fail "koop learn failed; see $folder/log/learn.out"
done

step "8. The last model of every stream that the job published:"
for ((i = 1; i <= 60; i++)); do
    "$local" fetch "$folder" models "$folder/results/models" >"$folder/results/models.txt" 2>"$folder/log/fetch.out" || true
    [ "$(grep -c ": $steps samples" "$folder/results/models.txt" || true)" -eq "$streams" ] && break
    if [ $((i % 10)) -eq 0 ] && ! "$local" flink "$folder" list -r 2>/dev/null | grep -q "$job"; then
        fail "the job has ended; see $folder/log/jobmanager.out"
    fi
    sleep 1
done
sed "s|$folder/results/models/||" "$folder/results/models.txt"
[ "$(grep -c ": $steps samples" "$folder/results/models.txt" || true)" -eq "$streams" ] || fail "not all $streams models came; see $folder/log"
same=0
for ((i = 0; i < streams; i++)); do
    alone=$(digest "$folder/results/alone-$i.safetensors") && published=$(digest "$folder/results/models/well-$i.safetensors") ||
        fail "koop info gives no digest of stream $i; see $folder/results" 70
    if [ "$alone" = "$published" ]; then same=$((same + 1)); fi
done
printf '%s of %s are those of koop learn, bit for bit (the digests of koop info are equal), although a worker died in between.\n' "$same" "$streams"
printf 'The broken record was put aside with its reason:\n'
"$local" consume "$folder" rejected 1

step "9. What was learned: the spectrum of the first stream, and the four wells that nobody told it about."
"$koop" spectrum "$folder/results/models/well-0.safetensors" -k 6 --dt 0.1
"$koop" sets "$folder/results/models/well-0.safetensors" -k 4 --plot "$folder/results/wells.png" --force
printf '\nkoop info, koop eigenfunctions and koop forecast open these models too: %s\n' "$folder/results/models"
[ "$same" -eq "$streams" ] || fail "only $same of $streams models are those of koop learn" 70
