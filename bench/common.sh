# What bench/speed and bench/quantum share; to be sourced. Sets root, build, sluice, measure, work.

root=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-$root/build}
sluice=$build/sluice
measure=$build/bench-measure
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

[ -f "$build/build.ninja" ] || cmake -S "$root" -B "$build" -G Ninja >/dev/null
ninja --quiet -C "$build" sluice bench-measure >/dev/null

# programs DIR: the traces in DIR or in DIR/traces, one path per line.
programs() {
	folder=$1
	[ ! -d "$folder/traces" ] || folder=$folder/traces
	for path in "$folder"/*; do
		if [ -d "$path" ] || [ "${path%.sluice}" != "$path" ]; then
			echo "$path"
		fi
	done
}

# simulate PATH OPTION...: prints "WARP_INSNS SECONDS PEAK_RSS_MB", seconds of simulation alone.
simulate() {
	if ! "$measure" "$sluice" run "$@" >"$work/usage" 2>"$work/output"; then
		cat "$work/output" >&2
		return 1
	fi
	awk -v rss="$(cut -d' ' -f2 "$work/usage")" '/^simulated / { print $2, $6, rss }' "$work/output"
}
