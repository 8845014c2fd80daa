#!/usr/bin/env bash
# One awkward file through three doors, each a process of its own: koop learn, koop serve --tail, and the Flink job on a real cluster with a real
# broker. All three must give one model: every array that koop export writes is compared byte by byte. Needs the koop command and the job jar built.
set -euo pipefail

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -P -- "$here/../.." && pwd)
local=$here/local.sh
koop=$root/koop
folder=${1:?a new folder for everything that is written}
rows=${2:-2400}

fail() {
    printf 'doors.sh: %s\n' "$1" >&2
    exit "${2:-4}"
}

[ ! -e "$folder" ] || fail "$folder exists; give a new folder"
mkdir -p "$folder"
folder=$(cd -P -- "$folder" && pwd)
server=

ended() {
    trap - EXIT
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ ! -d "$folder/flink/pids" ] || "$local" stop "$folder/flink"
}
trap ended EXIT
trap 'exit 130' INT TERM

# Three trajectories in turns, with late, repeated, missing, unreadable, blank and ragged rows. Numbers from a generator of its own, so that every awk
# gives the same ones.
awk -v rows="$rows" 'function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
BEGIN {
    seed = 42; print "trajectory,step,a,b"
    for (t = 0; t < 3; t++) { x[t] = t - 1; y[t] = 0.5 * t; step[t] = 0 }
    for (row = 0; row < rows; row++) {
        t = int(3 * random())
        turned = 0.96 * (0.88 * x[t] - 0.48 * y[t]) + 0.2 * random() - 0.1
        y[t] = 0.96 * (0.48 * x[t] + 0.88 * y[t]) + 0.2 * random() - 0.1
        x[t] = turned
        trouble = int(60 * random())
        step[t] += trouble == 0 ? 3 : trouble == 1 ? 0 : 1
        b = trouble == 3 ? "oops" : trouble == 4 ? "NaN" : trouble == 6 ? "" : sprintf("%.12g", y[t])
        printf "t%d,%d,%.12g,%s\n", t, trouble == 2 ? step[t] - 5 : step[t], x[t], b
        if (trouble == 5) print "t0,1"
    }
}' >"$folder/awkward.csv"
lines=$(($(wc -l <"$folder/awkward.csv") - 1))
printf '%s rows, %s of them are no numbers, ragged or empty\n' "$lines" "$(grep -c 'oops\|,NaN\|,$\|^t0,1$' "$folder/awkward.csv")"

printf 'koop learn\n'
"$koop" learn "$folder/awkward.csv" -o "$folder/command.safetensors" --skip-bad >"$folder/command.txt" 2>&1 || { cat "$folder/command.txt" >&2; fail "koop learn failed"; }

printf 'koop serve --tail\n'
"$koop" serve --port 0 --data "$folder/server" --durability os --tail "$folder/awkward.csv" --model m >"$folder/server.out" 2>"$folder/server.err" &
server=$!
for ((i = 0; i < 600; i++)); do
    [[ $(cat "$folder/server.out") =~ http://127\.0\.0\.1:([0-9]+)/ ]] && break
    sleep 0.2
done
port=${BASH_REMATCH[1]:?the server did not start}
token=$(<"$folder/server/koopstream.token")
# ask PATH FILE: the body of a GET; false when the answer is not 200
ask() {
    local line status
    exec 5<>"/dev/tcp/127.0.0.1/$port" || return 1
    printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n' "$1" "$port" "$token" >&5
    IFS= read -r status <&5
    while IFS= read -r line <&5 && [ "${line%$'\r'}" != "" ]; do :; done
    cat <&5 >"$2"
    exec 5>&-
    [[ $status == *" 200"* ]]
}
for ((i = 0; i < 1200; i++)); do
    if ask /models/m "$folder/facts.json" && [[ $(cat "$folder/facts.json") =~ \"received\":([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge "$lines" ] &&
        [[ $(cat "$folder/facts.json") == *'"phase":"LEARNING"'* ]]; then break; fi
    sleep 0.5
done
ask /models/m/export "$folder/export.zip" || fail "the server has no model: $(cat "$folder/facts.json")"
mkdir -p "$folder/of-server"
(cd "$folder/of-server" && "${JAVA_HOME:+$JAVA_HOME/bin/}jar" xf ../export.zip)

printf 'the Flink job\n'
"$local" cluster "$folder/flink" 1 1
"$local" broker "$folder/flink"
"$local" topic "$folder/flink" samples 1 >/dev/null
cat >"$folder/job.yaml" <<TEXT
name: doors
source:
  brokers: $(cat "$folder/flink/broker.address")
  topic: samples
  columns: [trajectory, step, a, b]
  trajectory: trajectory
  step: step
  state: [a, b]
  until: end
publish:
  models: {folder: "file://$folder/models", every: 1000000}
  rejected: {folder: "file://$folder/rejected"}
run: {parallelism: 1, checkpoint: 2 s}
TEXT
tail -n +2 "$folder/awkward.csv" | sed "s/^/m\t/" | "$local" produce "$folder/flink" samples
"$local" submit "$folder/flink" "$folder/job.yaml" >/dev/null
for ((i = 0; i < 600; i++)); do
    model=$(ls "$folder"/models/m/*.safetensors 2>/dev/null | tail -n 1) && [ -n "$model" ] && break
    sleep 0.5
done
[ -n "${model:-}" ] || fail "the job published no model; see $folder/flink/log"

"$koop" export "$folder/command.safetensors" -o "$folder/of-command" >/dev/null 2>&1
"$koop" export "$model" -o "$folder/of-flink" >/dev/null 2>&1
compared=0
for array in "$folder"/of-command/*.npy; do
    name=$(basename "$array")
    cmp "$array" "$folder/of-flink/$name" || fail "$name of the Flink job is not that of koop learn" 70
    cmp "$array" "$folder/of-server/$name" || fail "$name of the server is not that of koop learn" 70
    compared=$((compared + 1))
done
[ "$compared" -ge 4 ] || fail "only $compared arrays to compare" 70
printf '%s arrays of the model are the same bytes from koop learn, koop serve --tail and the Flink job\n' "$compared"
