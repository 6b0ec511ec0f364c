# shellcheck shell=bash
# Sourced by the scripts that run Java; needs $root and lib/jdk.sh. The only place that builds what they run.

# The modules, each after those it needs.
modules=(core core/testkit core/gcs core/azure btree commit commit/sql commit/console commit/cli commit/parquet bench-tpcw commit/spring-boot-starter bench-tpcw/shop
    commit/jobrunr commit/junit commit/shedlock commit/spring-session commit/spring-data)

# The module in folder $1 and those before it, as Maven's -pl takes them.
modules_up_to() {
    local module list=
    for module in "${modules[@]}"; do
        list=$list,$module
        [ "$module" != "$1" ] || break
    done
    echo "${list#,}"
}

# is_built FOLDER STAMP PART: whether FOLDER/target/STAMP is newer than the poms and sources it was made from. PART is src,
# or src/main where tests do not matter.
is_built() {
    local stamp=$root/$1/target/$2 module sources=("$root/pom.xml")
    [ -f "$stamp" ] || return 1
    for module in $(modules_up_to "$1" | tr , ' '); do
        sources+=("$root/$module/pom.xml" "$root/$module/$3")
        [ -d "$root/$module/target/classes" ] || return 1
    done
    [ -z "$(find "${sources[@]}" -newer "$stamp" -print -quit)" ]
}

# build FOLDER STAMP PART GOAL...: runs Maven's GOALs for FOLDER and the modules before it, unless that is_built.
build() {
    local folder=$1 stamp=$2 part=$3 begun log module
    shift 3
    is_built "$folder" "$stamp" "$part" && return 0
    find_maven
    echo "${0##*/}: building from the sources ..." >&2
    begun=$(mktemp)
    log=$(mktemp)
    # shellcheck disable=SC2064
    trap "rm -f '$begun' '$log'" EXIT
    if ! (cd "$root" && mvn -q -B -pl "$(modules_up_to "$folder")" "$@") >"$log" 2>&1; then
        cat "$log" >&2
        echo "${0##*/}: the build failed; the lines above say why" >&2
        exit 3
    fi
    # As old as the beginning of the build: a source that changed meanwhile is newer.
    for module in $(modules_up_to "$folder" | tr , ' '); do
        touch -r "$begun" "$root/$module/target/$stamp"
    done
    rm -f "$begun" "$log"
    trap - EXIT
}

# Builds the program of the module in folder $1, and sets class_path to what it needs at run time.
build_program() {
    build "$1" programs.built src/main -DskipTests package
    class_path="$root/$1/target/classes:$root/$1/target/lib/*"
}

# build_tests FOLDER NAME [OPTION ...]: builds the tests of a module, and sets class_path to what they need. NAME keeps
# builds with different OPTIONs of Maven apart.
build_tests() {
    local target=$root/$1/target folder=$1 file=$2.classpath
    shift 2
    build "$folder" "$file" src "$@" test-compile dependency:build-classpath \
        "-Dmdep.outputFile=target/$file" -Dmdep.includeScope=test
    class_path="$target/test-classes:$target/classes:$(cat "$target/$file")"
}

# build_class_path NAME POM: fetches what a POM outside the build depends on; sets file to one that has the class path.
build_class_path() {
    file=$root/.cloud/tools/$1-$(cksum <"$2" | cut -d' ' -f1).classpath
    [ ! -f "$file" ] || return 0
    find_maven
    mkdir -p "$root/.cloud/tools"
    if ! mvn -q -B -f "$2" dependency:build-classpath "-Dmdep.outputFile=$file" >"$file.log" 2>&1; then
        cat "$file.log" >&2
        echo "${0##*/}: $1 cannot be fetched; the lines above say why" >&2
        exit 3
    fi
}
