# shellcheck shell=bash
# Sourced by scripts/cloud: starts, finds and ends the servers of $folder. Each has a folder there: pid, port, log, data.

access_key=penstock
secret_key=penstock-secret

# The command line of the process $1, or nothing.
command_of() {
    if [ -d /proc/self ]; then
        [ ! -r "/proc/$1/cmdline" ] || tr '\0' ' ' <"/proc/$1/cmdline"
    else
        ps -o args= -p "$1"
    fi 2>/dev/null || true
}

# The process of the server $1, or nothing. Its command line names its folder, so a pid that went to another process since
# (after a reboot, say) is not mistaken for it.
pid_of() {
    local pid
    pid=$(cat "$folder/$1/pid" 2>/dev/null) || return 0
    case $(command_of "$pid") in
        *" $folder/$1"*) echo "$pid" ;;
    esac
}

port_of() {
    cat "$folder/$1/port" 2>/dev/null || true
}

url_of() {
    echo "http://127.0.0.1:$(port_of "$1")"
}

# Whether a process listens on the port $1.
port_answers() {
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# The process that listens on the port $1, as ", by NAME (pid N)", or nothing if unknown.
port_owner() {
    local pid=
    if command -v ss >/dev/null 2>&1; then
        pid=$(ss -ltnpH "sport = :$1" 2>/dev/null | sed -n 's/.*pid=\([0-9]*\).*/\1/p' | head -n 1)
    elif command -v lsof >/dev/null 2>&1; then
        pid=$(lsof -nP -t -iTCP:"$1" -sTCP:LISTEN 2>/dev/null | head -n 1)
    fi
    [ -z "$pid" ] || echo ", by $(ps -o comm= -p "$pid" 2>/dev/null || echo a process) (pid $pid)"
}

# A free port, below those that systems hand out to clients.
free_port() {
    local port tries
    for ((tries = 0; tries < 100; tries++)); do
        port=$((20000 + RANDOM % 10000))
        port_answers "$port" || { echo "$port"; return 0; }
    done
    fail "no free port found between 20000 and 29999"
}

# The answer to GET $2 on the port $1, within 2 seconds; nothing if there is none.
answer() {
    (
        exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 0
        printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n' "$2" "$1" >&3
        while IFS= read -r -t 2 line <&3 || [ -n "$line" ]; do
            echo "$line"
            line=
        done
    ) 2>/dev/null || true
}

# Whether the server $1 answers correctly.
is_ready() {
    local port
    port=$(port_of "$1")
    case $1 in
        localstack)
            case $(answer "$port" /_localstack/health) in
                *'"s3": "running"'*'"sqs": "running"'*) return 0 ;;
            esac
            ;;
        versitygw) case $(answer "$port" /health) in *' 200 '*) return 0 ;; esac ;;
        minio) case $(answer "$port" /minio/health/live) in *' 200 '*) return 0 ;; esac ;;
        fake-gcs-server) case $(answer "$port" /_internal/healthcheck) in *' 200 '*) return 0 ;; esac ;;
        azurite) case $(answer "$port" /) in *Azurite*) return 0 ;; esac ;;
    esac
    return 1
}

# Starts the program of the server $1 on the port $2, 0 for a free one. It must not inherit the lock (descriptor 9).
launch() {
    local name=$1 port=$2 here=$folder/$1 tool program
    tool=$(tool_folder "$name")
    mkdir -p "$here/data"
    [ "$port" != 0 ] || port=$(free_port)
    echo "$port" >"$here/port"
    case $name in
        localstack) program=("$tool/bin/python" -B "$lib/run_localstack.py" "$here" "$port") ;;
        versitygw) program=("$tool/versitygw" --port "127.0.0.1:$port" --health /health --quiet posix "$here/data") ;;
        minio) program=("$tool/minio" server --address "127.0.0.1:$port" --quiet "$here/data") ;;
        fake-gcs-server)
            program=("$tool/fake-gcs-server" -scheme http -host 127.0.0.1 -port "$port" -public-host "127.0.0.1:$port"
                -backend memory -log-level warn -filesystem-root "$here/data")
            ;;
        azurite)
            # The folder names the process; Node writes there only when it dies.
            program=(node --diagnostic-dir "$here/data" "$tool/node_modules/azurite/dist/src/blob/main.js"
                --blobHost 127.0.0.1 --blobPort "$port" --inMemoryPersistence --skipApiVersionCheck --disableTelemetry
                --silent)
            ;;
    esac
    ROOT_ACCESS_KEY=$access_key ROOT_SECRET_KEY=$secret_key \
        AZURITE_ACCOUNTS=$access_key:$(printf %s "$secret_key" | base64) \
        MINIO_ROOT_USER=$access_key MINIO_ROOT_PASSWORD=$secret_key MINIO_BROWSER=off MINIO_UPDATE=off MINIO_CI_CD=1 \
        nohup "${program[@]}" </dev/null >"$here/log" 2>&1 9>&- &
    echo $! >"$here/pid"
}

# Waits until the server $1 is ready; fails when its process ends, or after a minute.
await() {
    local name=$1 pid deadline=$((SECONDS + 60))
    pid=$(cat "$folder/$name/pid")
    while [ $SECONDS -lt $deadline ]; do
        kill -0 "$pid" 2>/dev/null || return 1
        if is_ready "$name"; then
            kill -0 "$pid" 2>/dev/null
            return
        fi
        sleep 0.2
    done
    return 1
}

# Starts the server $1 on the port $2 (0: a free one), unless it runs there already.
start() {
    local name=$1 port=$2 tries
    if [ -n "$(pid_of "$name")" ]; then
        [ "$port" = 0 ] || [ "$port" = "$(port_of "$name")" ] ||
            fail "$name runs already, on port $(port_of "$name"); end it first with scripts/cloud down"
        await "$name" || fail "$name runs but does not answer; see $folder/$name/log, end it with scripts/cloud down"
        return 0
    fi
    if [ "$port" != 0 ] && port_answers "$port"; then
        fail "port $port of $name is taken$(port_owner "$port"); choose another with $(port_option "$name") N, 0 for a free one"
    fi
    starting=$name
    # A free port may be taken by another before the server has it.
    for ((tries = 0; tries < 3; tries++)); do
        launch "$name" "$port"
        if await "$name"; then
            starting=
            return 0
        fi
        stop "$name"
        [ "$port" = 0 ] || break
    done
    starting=
    tail -n 20 "$folder/$name/log" >&2
    fail "$name did not start; above is the end of $folder/$name/log"
}

# Ends the server $1 if it runs: asks it, and kills it after five seconds. A stopped one (SIGSTOP) is continued first.
# LocalStack, which takes seconds to end and has nothing to save, is killed at once.
stop() {
    local name=$1 pid tries
    pid=$(pid_of "$name")
    if [ -n "$pid" ]; then
        if [ "$name" = localstack ]; then kill -KILL "$pid" 2>/dev/null || true; fi
        kill -TERM "$pid" 2>/dev/null || true
        kill -CONT "$pid" 2>/dev/null || true
        for ((tries = 0; tries < 100; tries++)); do
            [ -n "$(pid_of "$name")" ] || break
            [ "$tries" != 50 ] || kill -KILL "$pid" 2>/dev/null || true
            sleep 0.1
        done
    fi
    rm -f "$folder/$name/pid" "$folder/$name/port"
}
