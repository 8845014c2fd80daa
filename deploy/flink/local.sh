#!/usr/bin/env bash
# A real Flink cluster and a real Kafka broker on this machine, each process a JVM of its own, on loopback and free ports. All they write is
# in one work folder, and they are ended by their process ids. README.md beside this file explains the commands.
set -euo pipefail

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -P -- "$here/../.." && pwd)
flink_lib=$here/cluster/target/lib
broker_lib=$here/broker/target/lib

usage() {
    cat <<'TEXT'
usage: local.sh COMMAND ...
  assemble                       fetch the jars of the cluster and of the broker, build the job jar
  assemble-servers               the same without the job jar
  cluster WORK [TMS [SLOTS]]     start a JobManager and TMS TaskManagers (2) of SLOTS slots (2) each
  taskmanager WORK NAME          start one more TaskManager, e.g. after one was killed
  jobmanager WORK NAME           start another JobManager; with KOOP_HA=yes it takes over the jobs of the one that was killed
  broker WORK                    start a Kafka broker
  topic WORK NAME PARTITIONS [compact]
  produce WORK TOPIC             send the lines of standard input: key, tab, record
  consume WORK TOPIC COUNT       print the first COUNT committed records of a topic
  check JOB.yaml                 what the job would do (its --dry-run); needs no cluster
  submit WORK JOB.yaml [-s PATH] start a job, from nothing or from a savepoint or checkpoint; prints its id
  flink WORK ARG...              Flink's own command line, e.g. flink WORK list
  fetch WORK TOPIC FOLDER [ARG...] the newest model of every key as files for koop
  status WORK                    what runs
  stop WORK                      end everything that was started in WORK
TEXT
}

fail() {
    printf 'local.sh: %s\n' "$1" >&2
    exit "${2:-4}"
}

if [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/java" ]; then
    java=$JAVA_HOME/bin/java
else
    java=$(command -v java) || fail "no Java found; install a JDK, version 17 or newer, or set JAVA_HOME"
fi

# What Flink needs opened on Java 17 and newer in the client and the JobManager, see docs/flink-job.md.
opens=(--add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.time=ALL-UNNAMED)

job_jar() {
    local candidate jar=
    for candidate in "$root"/koopstream-flink-job/target/koopstream-flink-job-[0-9]*-all.jar; do
        # That of an older version may lie beside it.
        if [ -f "$candidate" ] && { [ -z "$jar" ] || [ "$candidate" -nt "$jar" ]; }; then
            jar=$candidate
        fi
    done
    [ -n "$jar" ] || fail "there is no job jar; run: $0 assemble"
    printf '%s' "$jar"
}

# Whether the job jar is there and nothing that it is made of is newer.
job_is_current() {
    local jar newer
    jar=$(job_jar 2>/dev/null) || return 1
    newer=$(cd "$root" && find pom.xml koopstream-{core,stream,io,flink,flink-job}/pom.xml koopstream-{core,stream,io,flink,flink-job}/src/main -newer "$jar" -print -quit)
    [ -z "$newer" ]
}

require_assembled() {
    [ -d "$1" ] || fail "the jars are not there yet; run: $0 assemble"
}

# The work folder as an absolute path; a second argument 'new' makes it.
enter() {
    [ $# -ge 1 ] && [ -n "$1" ] || fail "which work folder?" 2
    if [ "${2:-}" = new ]; then mkdir -p "$1/pids" "$1/log"; fi
    [ -d "$1/pids" ] || fail "$1: no work folder of this script; start a cluster or a broker in it first"
    work=$(cd -P -- "$1" && pwd)
}

# Nobody may listen there now; whoever asks next gets another one.
free_port() {
    local port i
    for i in {1..200}; do
        port=$((20000 + RANDOM % 12000))
        [ -e "$work/pids/port.$port" ] && continue
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            : >"$work/pids/port.$port"
            printf '%s' "$port"
            return
        fi
    done
    fail "no free port found between 20000 and 32000"
}

# A process id counts only while the process is still the one that was started here: numbers are used again.
alive() {
    local id
    id=$(cat "$work/pids/$1.pid" 2>/dev/null) || return 1
    ps -o args= -p "$id" 2>/dev/null | grep -qF -- "-Dkoopstream.process=$work/$1"
}

# start NAME JAVA-ARGUMENT...
start() {
    local name=$1
    shift
    alive "$name" && fail "$name runs already in $work"
    # In a session of its own, so that Ctrl-C reaches the script, which then ends its processes in order.
    local session=()
    command -v setsid >/dev/null && session=(setsid)
    "${session[@]}" "$java" "-Dkoopstream.process=$work/$name" "$@" >"$work/log/$name.out" 2>&1 </dev/null &
    printf '%s\n' "$!" >"$work/pids/$name.pid"
}

# until_true SECONDS WHAT NAME COMMAND...: waits, but not for a process that has ended.
until_true() {
    local seconds=$1 what=$2 name=$3 i
    shift 3
    for ((i = 0; i < seconds * 5; i++)); do
        "$@" >/dev/null 2>&1 && return
        alive "$name" || { tail -n 15 "$work/log/$name.out" >&2; fail "$name ended before $what; the lines above are the end of $work/log/$name.out"; }
        sleep 0.2
    done
    fail "$what not reached within $seconds s; see $work/log/$name.out"
}

answers() {
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# The body of a GET on the JobManager's REST interface.
rest() {
    local line
    exec 4<>"/dev/tcp/127.0.0.1/$(cat "$work/rest.port")" || return 1
    printf 'GET %s HTTP/1.0\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$1" >&4
    while IFS= read -r line <&4 && [ "${line%$'\r'}" != "" ]; do :; done
    cat <&4
    exec 4>&-
}

taskmanagers_registered() {
    local overview
    overview=$(rest /overview) || return 1
    [[ $overview =~ \"taskmanagers\":([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge "$1" ]
}

log4j_settings() {
    cat >"$1" <<'TEXT'
rootLogger.level = WARN
rootLogger.appenderRef.console.ref = Console
appender.console.type = Console
appender.console.name = Console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss.SSS} %-5p %c{1} - %m%n
logger.recovery.name = org.apache.flink.runtime.checkpoint
logger.recovery.level = INFO
logger.koopstream.name = io.koopstream
logger.koopstream.level = INFO
logger.plugins.name = org.apache.flink.core.plugin
logger.plugins.level = ERROR
logger.client.name = org.apache.flink.client.cli
logger.client.level = ERROR
logger.metrics.name = org.apache.flink.metrics
logger.metrics.level = ERROR
logger.tools.name = org.apache.kafka.tools
logger.tools.level = OFF
TEXT
}

# The lines that BashJavaUtils prints for a process: its JVM memory options, and its -D settings.
memory_of() {
    "$java" "${opens[@]}" -cp "$flink_lib/*" org.apache.flink.runtime.util.bash.BashJavaUtils "$1" --configDir "$work/conf" 2>>"$work/log/memory.out" |
        sed -n 's/^BASH_JAVA_UTILS_EXEC_RESULT://p'
}

vector_module() {
    "$java" --list-modules 2>/dev/null | grep -q '^jdk\.incubator\.vector' && printf '%s' "--add-modules=jdk.incubator.vector"
    return 0
}

start_taskmanager() {
    local lines memory settings
    mapfile -t lines < <(memory_of GET_TM_RESOURCE_PARAMS)
    [ "${#lines[@]}" -ge 2 ] || fail "Flink did not say how much memory a TaskManager gets; see $work/log/memory.out"
    read -r -a memory <<<"${lines[0]}"
    read -r -a settings <<<"${lines[1]}"
    # The learner's SIMD loops live on the vector module (docs/decisions/0011).
    start "$1" "${memory[@]}" $(vector_module) "-Dlog4j.configurationFile=$work/conf/log4j.properties" -cp "$flink_lib/*" \
        org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$work/conf" "${settings[@]}" \
        -D "taskmanager.resource-id=$1"
}

start_jobmanager() {
    local lines memory settings
    mapfile -t lines < <(memory_of GET_JM_RESOURCE_PARAMS)
    [ "${#lines[@]}" -ge 2 ] || fail "Flink did not say how much memory the JobManager gets; see $work/log/memory.out"
    read -r -a memory <<<"${lines[0]}"
    read -r -a settings <<<"${lines[1]}"
    start "$1" "${memory[@]}" "${opens[@]}" "-Dlog4j.configurationFile=$work/conf/log4j.properties" -cp "$flink_lib/*" \
        org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$work/conf" --executionMode cluster "${settings[@]}"
    until_true 120 "the JobManager's answer" "$1" rest /overview
}

# What lets another JobManager take over: a ZooKeeper, which Flink brings along, and the settings that name it.
start_zookeeper() {
    local port
    port=$(free_port)
    mkdir -p "$work/zookeeper"
    cat >"$work/conf/zoo.cfg" <<TEXT
tickTime=2000
initLimit=10
syncLimit=5
dataDir=$work/zookeeper
clientPort=$port
clientPortAddress=127.0.0.1
admin.enableServer=false
server.1=127.0.0.1:$(free_port):$(free_port)
TEXT
    start zookeeper -Xmx256m "-Dlog4j.configurationFile=$work/conf/log4j.properties" -cp "$flink_lib/*" \
        org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer --zkConfigFile "$work/conf/zoo.cfg" --peerId 1
    until_true 60 "ZooKeeper's answer" zookeeper answers "$port"
    cat >>"$work/conf/config.yaml" <<TEXT
high-availability:
  type: zookeeper
  storageDir: "file://$work/ha"
  zookeeper: {quorum: "127.0.0.1:$port", client: {session-timeout: 8000}}
TEXT
}

start_cluster() {
    local count=${2:-2} slots=${3:-2} i
    enter "$1" new
    require_assembled "$flink_lib"
    mkdir -p "$work/conf" "$work/checkpoints" "$work/savepoints" "$work/tmp"
    local rpc rest_port
    rpc=$(free_port)
    rest_port=$(free_port)
    printf '%s\n' "$rest_port" >"$work/rest.port"
    log4j_settings "$work/conf/log4j.properties"
    cat >"$work/conf/config.yaml" <<TEXT
jobmanager:
  rpc: {address: 127.0.0.1, port: $rpc}
  bind-host: 127.0.0.1
  memory: {process: {size: ${KOOP_JOBMANAGER_MEMORY:-1g}}}
  execution: {failover-strategy: region}
rest: {address: 127.0.0.1, bind-address: 127.0.0.1, port: $rest_port, bind-port: $rest_port}
taskmanager:
  host: 127.0.0.1
  bind-host: 127.0.0.1
  numberOfTaskSlots: $slots
  memory: {process: {size: ${KOOP_TASKMANAGER_MEMORY:-1600m}}, managed: {size: 0m}}
  # A checkpoint must not wait behind more records than a task works off in about a second.
  network: {memory: {buffer-debloat: {enabled: true}}}
metrics:
  fetcher: {update-interval: 1000}
  reporters: prom
  reporter: {prom: {factory: {class: org.apache.flink.metrics.prometheus.PrometheusReporterFactory}, port: ${KOOP_METRICS_PORTS:-9250-9299}}}
heartbeat: {interval: 2000, timeout: 8000}
restart-strategy: {type: fixed-delay, fixed-delay: {attempts: 100, delay: 1 s}}
state: {backend: {type: hashmap}}
execution: {checkpointing: {storage: filesystem, dir: "file://$work/checkpoints", savepoint-dir: "file://$work/savepoints"}}
pipeline: {generic-types: false}
io: {tmp: {dirs: "$work/tmp"}}
web: {upload: {dir: "$work/tmp/upload"}}
TEXT
    [ "${KOOP_HA:-no}" != yes ] || start_zookeeper
    start_jobmanager jobmanager
    for ((i = 1; i <= count; i++)); do start_taskmanager "taskmanager-$i"; done
    until_true 120 "$count registered TaskManagers" jobmanager taskmanagers_registered "$count"
    printf 'Flink with %s TaskManagers of %s slots; page http://127.0.0.1:%s\n' "$count" "$slots" "$rest_port"
}

kafka_tool() {
    "$java" -Xmx512m "-Dlog4j.configurationFile=$work/broker/log4j.properties" -cp "$broker_lib/*" "$@"
}

# Clients prove who they are by name and password, the broker by a certificate; the passwords are new and in files that nobody else reads.
secure_broker() {
    local keytool=keytool
    [ -z "${JAVA_HOME:-}" ] || keytool=$JAVA_HOME/bin/keytool
    if [ ! -f "$work/broker/keys.p12" ]; then
        (umask 077 && od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$work/broker/store.secret" && od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$work/client.secret")
        "$keytool" -genkeypair -alias broker -keyalg EC -dname CN=127.0.0.1 -ext SAN=ip:127.0.0.1 -validity 30 -storetype PKCS12 \
            -keystore "$work/broker/keys.p12" -storepass:file "$work/broker/store.secret" >>"$work/log/format.out" 2>&1 || fail "no certificate could be made; see $work/log/format.out"
        "$keytool" -exportcert -rfc -alias broker -keystore "$work/broker/keys.p12" -storepass:file "$work/broker/store.secret" -file "$work/broker.pem" 2>>"$work/log/format.out"
    fi
    local plain=org.apache.kafka.common.security.plain.PlainLoginModule
    (umask 077 && cat >>"$work/broker/server.properties" <<TEXT
ssl.keystore.type=PKCS12
ssl.keystore.location=$work/broker/keys.p12
ssl.keystore.password=$(cat "$work/broker/store.secret")
ssl.truststore.type=PEM
ssl.truststore.location=$work/broker.pem
sasl.enabled.mechanisms=PLAIN
sasl.mechanism.inter.broker.protocol=PLAIN
listener.name.clients.plain.sasl.jaas.config=$plain required username="koop" password="$(cat "$work/client.secret")" user_koop="$(cat "$work/client.secret")";
TEXT
        cat >"$work/client.properties" <<TEXT
security.protocol=SASL_SSL
ssl.truststore.type=PEM
ssl.truststore.location=$work/broker.pem
sasl.mechanism=PLAIN
sasl.jaas.config=$plain required username="koop" password="$(cat "$work/client.secret")";
TEXT
    )
}

start_broker() {
    enter "$1" new
    require_assembled "$broker_lib"
    mkdir -p "$work/broker"
    local port controller
    # One that was stopped comes back at its address, which job files and running jobs have.
    if [ -f "$work/broker.address" ]; then port=$(sed 's/.*://' "$work/broker.address"); else port=$(free_port); fi
    controller=$(free_port)
    log4j_settings "$work/broker/log4j.properties"
    local protocol=PLAINTEXT
    [ "${KOOP_TLS:-no}" != yes ] || protocol=SASL_SSL
    cat >"$work/broker/server.properties" <<TEXT
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$controller
listeners=CLIENTS://127.0.0.1:$port,CONTROLLER://127.0.0.1:$controller
advertised.listeners=CLIENTS://127.0.0.1:$port
inter.broker.listener.name=CLIENTS
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,CLIENTS:$protocol
log.dirs=$work/broker/data
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
share.coordinator.state.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
TEXT
    (umask 077 && : >"$work/client.properties")
    [ "$protocol" = PLAINTEXT ] || secure_broker
    # A broker that was stopped goes on with its topics.
    if [ ! -f "$work/broker/data/meta.properties" ]; then
        local id
        id=$(kafka_tool kafka.tools.StorageTool random-uuid 2>>"$work/log/format.out" | tail -n 1)
        kafka_tool kafka.tools.StorageTool format -t "$id" -c "$work/broker/server.properties" >>"$work/log/format.out" 2>&1 ||
            fail "the broker's folder could not be made; see $work/log/format.out"
    fi
    start broker -Xmx768m "-Dlog4j.configurationFile=$work/broker/log4j.properties" -cp "$broker_lib/*" kafka.Kafka "$work/broker/server.properties"
    until_true 90 "the broker's answer" broker answers "$port"
    printf '127.0.0.1:%s\n' "$port" >"$work/broker.address"
    printf 'Kafka broker at 127.0.0.1:%s\n' "$port"
}

broker_address() {
    cat "$work/broker.address" 2>/dev/null || fail "no broker was started in $work; run: $0 broker $work"
}

flink_client() {
    FLINK_CONF_DIR=$work/conf "$java" -Xmx512m "${opens[@]}" "-Dlog4j.configurationFile=$work/conf/log4j.properties" -cp "$flink_lib/*" \
        org.apache.flink.client.cli.CliFrontend "$@"
}

# The TaskManagers first: without its JobManager a TaskManager would only wait for it. Then the broker.
stop_all() {
    local file name id i names=()
    for file in "$work"/pids/*.pid; do
        [ -f "$file" ] && name=$(basename "$file" .pid) && names+=("$name") && alive "$name" && kill "$(cat "$file")" 2>/dev/null
    done
    for name in "${names[@]}"; do
        for ((i = 0; i < 50; i++)); do
            alive "$name" || break
            sleep 0.2
        done
        if alive "$name"; then
            id=$(cat "$work/pids/$name.pid")
            kill -9 "$id" 2>/dev/null || true
        fi
        rm -f "$work/pids/$name.pid"
    done
    rm -f "$work"/pids/port.*
}

[ $# -ge 1 ] || { usage >&2; exit 2; }
action=$1
shift
case $action in
assemble | assemble-servers)
    mvn=$(command -v mvn) || fail "Maven (mvn) not found; it fetches the jars and builds the job"
    for part in cluster broker; do
        # Nothing is done again: the mark is of the pom that the jars were fetched for.
        mark=$here/$part/target/fetched
        if ! cmp -s "$here/$part/pom.xml" "$mark"; then
            printf 'Fetching the jars of the %s from Maven ...\n' "$part"
            (cd "$root" && "$mvn" -q -B -Dstyle.color=never -f "deploy/flink/$part/pom.xml" package) || fail "the jars of the $part could not be fetched; the lines above say why"
            cp "$here/$part/pom.xml" "$mark"
        fi
    done
    if [ "$action" = assemble ] && ! job_is_current; then
        printf 'Building the job jar ...\n'
        (cd "$root" && "$mvn" -q -B -Dstyle.color=never -Dmaven.test.skip -pl koopstream-flink-job -am package) || fail "the job jar could not be built; the lines above say why"
    fi
    ;;
cluster) start_cluster "$@" ;;
taskmanager)
    enter "${1:-}"
    start_taskmanager "${2:?name of the TaskManager}"
    ;;
jobmanager)
    enter "${1:-}"
    start_jobmanager "${2:?name of the JobManager}"
    ;;
broker) start_broker "$@" ;;
topic)
    enter "${1:-}"
    options=()
    [ "${4:-}" = compact ] && options=(--config cleanup.policy=compact)
    kafka_tool org.apache.kafka.tools.TopicCommand --bootstrap-server "$(broker_address)" --command-config "$work/client.properties" --create --topic "${2:?topic}" \
        --partitions "${3:?number of partitions}" --replication-factor 1 "${options[@]}"
    ;;
produce)
    enter "${1:-}"
    kafka_tool org.apache.kafka.tools.ConsoleProducer --bootstrap-server "$(broker_address)" --topic "${2:?topic}" \
        --reader-property parse.key=true --command-config "$work/client.properties" --command-property acks=all --command-property linger.ms=20 2>>"$work/log/produce.out" ||
        fail "not all records were sent; see $work/log/produce.out"
    ;;
consume)
    enter "${1:-}"
    kafka_tool org.apache.kafka.tools.consumer.ConsoleConsumer --bootstrap-server "$(broker_address)" --topic "${2:?topic}" --from-beginning \
        --max-messages "${3:?how many}" --timeout-ms 60000 --command-config "$work/client.properties" --command-property isolation.level=read_committed 2>>"$work/log/consume.out"
    ;;
check)
    require_assembled "$flink_lib"
    exec "$java" "${opens[@]}" -cp "$(job_jar):$flink_lib/*" io.koopstream.flink.job.KoopJob --config "${1:?the job file}" --dry-run
    ;;
submit)
    enter "${1:-}"
    file=${2:?the job file}
    shift 2
    flink_client run -d "$@" -c io.koopstream.flink.job.KoopJob "$(job_jar)" --config "$file" >"$work/log/submit.out" 2>&1 ||
        { cat "$work/log/submit.out" >&2; fail "the job was not accepted; the lines above say why"; }
    sed -n 's/.*JobID \([0-9a-f]*\).*/\1/p' "$work/log/submit.out"
    ;;
flink)
    enter "${1:-}"
    shift
    flink_client "$@"
    ;;
fetch)
    enter "${1:-}"
    "$java" -Xmx512m "-Dlog4j.configurationFile=$work/broker/log4j.properties" -cp "$(job_jar):$flink_lib/*" io.koopstream.flink.job.FetchModels \
        --brokers "$(broker_address)" --topic "${2:?topic}" --output "${3:?folder}" --properties "$work/client.properties" "${@:4}"
    ;;
status)
    enter "${1:-}"
    for file in "$work"/pids/*.pid; do
        [ -f "$file" ] || continue
        name=$(basename "$file" .pid)
        printf '%-16s %s\n' "$name" "$(alive "$name" && printf 'runs, process %s' "$(cat "$file")" || printf 'ended')"
    done
    ;;
stop)
    enter "${1:-}"
    stop_all
    ;;
-h | --help | help) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
