# shellcheck shell=bash
# Sourced by the scripts: finds a JDK 21 or newer and Maven, or reports in one line what is missing.

# The feature number of the JDK in the directory $1, or nothing if it has no compiler or no version.
jdk_version() {
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 0
    "$1/bin/java" -XshowSettings:properties -version 2>&1 |
        sed -n 's/^ *java\.specification\.version = \([0-9]*\)$/\1/p'
}

# The home of the java on PATH, or nothing.
jdk_on_path() {
    command -v java >/dev/null 2>&1 || return 0
    java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
}

# Sets and exports JAVA_HOME: the first suitable of JAVA_HOME, PATH, and where systems keep their JDKs.
find_jdk() {
    local candidate version
    for candidate in \
        "${JAVA_HOME:-}" \
        "$(jdk_on_path)" \
        /usr/lib/jvm/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "${HOME:-}"/.sdkman/candidates/java/*; do
        version=$(jdk_version "$candidate")
        if [ -n "$version" ] && [ "$version" -ge 21 ]; then
            export JAVA_HOME=$candidate
            return 0
        fi
    done
    echo "${0##*/}: no JDK 21 or newer found; install one, or set JAVA_HOME to it" >&2
    exit 3
}

find_maven() {
    if ! command -v mvn >/dev/null 2>&1; then
        echo "${0##*/}: Maven is missing (no mvn on PATH); install Maven 3.8 or newer" >&2
        exit 3
    fi
}
