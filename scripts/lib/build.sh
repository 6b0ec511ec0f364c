# Sourced by the scripts that run programs; needs $root and lib/jdk.sh. Builds when a source is newer than the build.

# All modules and what they need at run time.
class_path="$root/bench-tpcw/target/classes:$root/bench-tpcw/target/lib/*"

# Touched after each build, and older than the sources it was made from if they change meanwhile.
build_stamp=$root/bench-tpcw/target/programs.built

is_built() {
    [ -f "$build_stamp" ] || return 1
    local part sources=("$root/pom.xml")
    for part in core btree commit bench-tpcw; do
        sources+=("$root/$part/pom.xml" "$root/$part/src/main")
        [ -d "$root/$part/target/classes" ] || return 1
    done
    [ -z "$(find "${sources[@]}" -newer "$build_stamp" -print -quit)" ]
}

build_if_needed() {
    is_built && return 0
    find_maven
    [ -t 2 ] && echo "building ..." >&2
    local begun log
    begun=$(mktemp)
    log=$(mktemp)
    # shellcheck disable=SC2064
    trap "rm -f '$begun' '$log'" EXIT
    if ! (cd "$root" && mvn -q -B -DskipTests package) >"$log" 2>&1; then
        cat "$log" >&2
        echo "${0##*/}: the build failed; the lines above say why" >&2
        exit 3
    fi
    touch -r "$begun" "$build_stamp"
    rm -f "$begun" "$log"
    trap - EXIT
}
