# shellcheck shell=bash
# Sourced by scripts/cloud: installs the servers, each into a folder of its own under $tools. A folder there is a whole
# install: it is made under another name and renamed last. The caller holds the lock of $tools.
# $name: localstack, versitygw, minio, fake-gcs-server or azurite. Exits with 3 if it cannot get something.

lib=$root/scripts/lib/cloud
versitygw_module=github.com/versity/versitygw/cmd/versitygw@v1.8.0
minio_module=github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c
fake_gcs_module=github.com/fsouza/fake-gcs-server@v1.56.1
azurite_package=azurite@3.37.0

# The folder of the tool $1; another version has another.
tool_folder() {
    case $1 in
        localstack) echo "$tools/localstack-4.13.1-$(cksum <"$lib/localstack.txt" | cut -d' ' -f1)" ;;
        versitygw) echo "$tools/versitygw-${versitygw_module#*@}" ;;
        minio) echo "$tools/minio-${minio_module#*@}" ;;
        fake-gcs-server) echo "$tools/fake-gcs-server-${fake_gcs_module#*@}" ;;
        azurite) echo "$tools/azurite-${azurite_package#*@}" ;;
    esac
}

# An environment may outlive its Python, so run it instead of looking for the file.
is_installed() {
    local folder
    folder=$(tool_folder "$1")
    case $1 in
        localstack) [ -d "$folder" ] && "$folder/bin/python" -c 'import sys' >/dev/null 2>&1 ;;
        azurite) [ -d "$folder/node_modules/azurite" ] && command -v node >/dev/null 2>&1 ;;
        *) [ -x "$folder/$1" ] ;;
    esac
}

# The first Python 3.11, 3.12 or 3.13 that can make virtual environments, or nothing.
find_python() {
    local candidate
    for candidate in "${PENSTOCK_PYTHON:-}" python3.11 python3.12 python3.13 python3 \
        "${HOME:-}"/.pyenv/versions/3.1[123].*/bin/python3; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys, venv, ensurepip
sys.exit(not (3, 11) <= sys.version_info < (3, 14))' >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
}

install_localstack() {
    local python
    python=$(find_python)
    [ -n "$python" ] || missing "LocalStack needs a Python 3.11, 3.12 or 3.13 with venv and ensurepip; install one" \
        "(Debian: python3-venv), or set PENSTOCK_PYTHON to it"
    say "installing LocalStack 4.13.1 with $python (about a minute)"
    "$python" -m venv "$part" >"$log" 2>&1 || missing "no virtual environment can be made with $python; see $log"
    # The list is whole, so pip has nothing to decide.
    if ! "$part/bin/python" -m pip install --no-deps --disable-pip-version-check --no-input --retries 2 --timeout 30 \
        -r "$lib/localstack.txt" >>"$log" 2>&1; then
        if grep -q -E 'NewConnectionError|ConnectTimeout|ProxyError|from versions: none' "$log"; then
            missing "LocalStack cannot be installed: PyPI cannot be reached; see $log"
        fi
        missing "LocalStack cannot be installed; see $log"
    fi
}

# Compiles the module $2 to $part/$1.
install_go() {
    command -v go >/dev/null 2>&1 || missing "$1 is compiled with Go, and there is no go on PATH; install Go 1.24 or newer"
    say "compiling $2 (some minutes)"
    mkdir -p "$part"
    if ! GOBIN=$part GOFLAGS=-mod=mod go install "$2" >"$log" 2>&1; then
        if grep -q -E 'dial tcp|no such host|proxyconnect|i/o timeout' "$log"; then
            missing "$1 cannot be installed: the Go module proxy cannot be reached; see $log"
        fi
        missing "$1 cannot be compiled; see $log"
    fi
}

install_azurite() {
    command -v npm >/dev/null 2>&1 || missing "Azurite comes from npm, and there is no npm on PATH; install Node 18 or newer"
    say "installing $azurite_package (half a minute)"
    mkdir -p "$part"
    npm install --prefix "$part" --no-audit --no-fund --ignore-scripts --omit=dev "$azurite_package" >"$log" 2>&1 ||
        missing "Azurite cannot be installed; see $log"
}

# Installs the tool $1 if it is missing.
ensure_tool() {
    local name=$1 folder part log
    folder=$(tool_folder "$name")
    is_installed "$name" && return 0
    [ "$offline" = no ] || missing "$name is not installed, and --offline forbids to install it"
    mkdir -p "$tools"
    lock "$tools/lock"
    if ! is_installed "$name"; then
        part=$tools/.$name.part
        log=$tools/$name.log
        rm -rf "$part" "$folder"
        case $name in
            localstack) install_localstack ;;
            versitygw) install_go versitygw "$versitygw_module" ;;
            minio) install_go minio "$minio_module" ;;
            fake-gcs-server) install_go fake-gcs-server "$fake_gcs_module" ;;
            azurite) install_azurite ;;
        esac
        mv "$part" "$folder"
    fi
    unlock
}
