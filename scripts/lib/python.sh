# shellcheck shell=bash
# Sourced by the scripts that run a program of PyPI; needs $root.

# install_packages NAME LIST: installs the packages of the file LIST, which is whole, into an environment of their own, unless
# they are there; sets python to its interpreter.
install_packages() {
    local folder part log
    folder=$root/.cloud/tools/$1-$(cksum <"$2" | cut -d' ' -f1)
    part=$root/.cloud/tools/.$1.part
    log=$root/.cloud/tools/$1.log
    python=$folder/bin/python
    [ ! -x "$python" ] || return 0
    rm -rf "$part" "$folder"
    mkdir -p "$root/.cloud/tools"
    if ! python3 -m venv "$part" >"$log" 2>&1 ||
        ! "$part/bin/python" -m pip install --no-deps --disable-pip-version-check --no-input --retries 2 --timeout 30 \
            -r "$2" >>"$log" 2>&1; then
        echo "${0##*/}: $1 cannot be installed from PyPI (Python 3.10 or newer with venv is needed); see $log" >&2
        exit 3
    fi
    mv "$part" "$folder"
}
