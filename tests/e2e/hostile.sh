#!/bin/sh
# Input that means harm: escape sequences, named pipes, outputs that are inputs.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2
escape=$(printf '\033[2J\033]0;owned\007')
csi=$(printf '\302\2331;31m') # the same as one C1 character in UTF-8
raw=$(printf '\2331;31m')     # and as one byte

# ---- what reaches the terminal -------------------------------------------------------------------------------------

# harmless COMMAND...: whatever it says on either stream, no control character but tab, newline and carriage return.
harmless() {
	"$@" >out 2>err
	status=$?
	[ $status -le 4 ] || { echo "status $status" && return 1; }
	if LC_ALL=C grep -n "$(printf '[\001-\010\013\014\016-\037\177]')" out err ||
		LC_ALL=C grep -n "$(printf '\302[\200-\237]')" out err || LC_ALL=C grep -n "$(printf '[^\200-\377]\233')" out err; then
		return 1
	fi
}

# A trace whose kernel, mnemonics and folder are called so.
evil() {
	mkdir -p "$1" && vector_add 1 | sed "s/vector_add/$2/; s/FADD/FADD$3/" >"$1/kernel-1.traceg" &&
		echo kernel-1.traceg >"$1/kernelslist.g"
}
for bytes in "$escape" "$csi" "$raw"; do
	evil "evil$bytes" "kernel\\$bytes" "$bytes" || exit 2
	for command in run 'compare --policy gto --policy lrr' 'trace info' 'run --max-insns 5' 'run --set sim.watchdog_cycles=1000 --set icnt.request_cycles=10000'; do
		# shellcheck disable=SC2086 # a command and its words
		claim "no control character in a name gets through: $command" harmless "$sluice" $command "evil$bytes"
	done
	claim "nor when an import prints its warnings" harmless "$sluice" trace import "evil$bytes" -o evil.sluice
	claim "nor from the imported file" harmless "$sluice" run evil.sluice
	mkdir -p set/traces && cp -r "evil$bytes" set/traces/
	printf 'program\tlaunch\tkernel\tsm__cycles_elapsed.max\nevil%s\t0\tkernel\t4000\n' "$bytes" >set/counters.tsv
	claim "nor from a table of counters" harmless "$sluice" validate set
	claim "which is refused" refuses 'counters.tsv:2: a control character' "$sluice" validate set
	claim "nor from a name that is nothing" harmless "$sluice" run "none$bytes"
	printf 'title: "x%s"\nfoo%s: 1\n' '\e[2J' "$bytes" >m.yaml
	claim "nor from a machine file" harmless "$sluice" machine show m.yaml
	rm -rf set "evil$bytes"
done

nul_is_refused() {
	mkdir -p nul && vector_add 1 | sed 's/vector_add/vec@add/' | tr '@' '\000' >nul/kernel-1.traceg &&
		echo kernel-1.traceg >nul/kernelslist.g && refuses 'kernel-1.traceg:1:1: a NUL byte' "$sluice" run nul
}
claim "a NUL in a kernel's name" nul_is_refused

# ---- things that are no files --------------------------------------------------------------------------------------

mkfifo pipe pipe.yaml pipe.sluice
make_trace t
claim "a named pipe for a machine does not block" refuses 'not a file' timeout 10 "$sluice" run t --machine ./pipe.yaml
claim "nor for a trace" exits 2 timeout 10 "$sluice" run ./pipe.sluice
claim "nor for a program" exits 2 timeout 10 "$sluice" run --program ./pipe

# ---- outputs that are inputs -----------------------------------------------------------------------------------------

# keeps FILE COMMAND...: bad input, and the file is as it was.
keeps() {
	kept=$1
	cp "$kept" before
	shift
	refuses 'is also read' "$@" && cmp before "$kept"
}
"$sluice" trace import t -o t.sluice >/dev/null 2>&1
ln t.sluice link.sluice
cp "$root/machines/h200.yaml" own.yaml
claim "run: the trace as JSON" keeps t.sluice "$sluice" run t.sluice --json t.sluice
claim "run: the trace by another name" keeps t.sluice "$sluice" run t.sluice --json ./link.sluice
claim "run: the machine as JSON" keeps own.yaml "$sluice" run t.sluice --machine own.yaml --json own.yaml
claim "compare: the trace as JSON" keeps t.sluice "$sluice" compare t.sluice --policy gto --policy lrr --json t.sluice
claim "compare: the trace as a page" keeps t.sluice "$sluice" compare t.sluice --policy gto --policy lrr --html t.sluice
claim "trace info: the trace as JSON" keeps t.sluice "$sluice" trace info t.sluice --json t.sluice
claim "trace import: the source" keeps t/kernel-1.traceg "$sluice" trace import t/kernel-1.traceg -o t/kernel-1.traceg --force
claim "trace export: over the source" keeps t/kernel-1.traceg "$sluice" trace export t -o t --force
claim "trace export: over the source of one kernel" keeps t/kernel-1.traceg "$sluice" trace export t/kernel-1.traceg -o t --force
if "$sluice" cc --version >/dev/null 2>&1; then
	echo 'int main() { return 0; }' >f.cpp
	claim "cc: the source as the program" keeps f.cpp "$sluice" cc f.cpp -o f.cpp
	claim "cc: the source as the object" keeps f.cpp "$sluice" cc -c f.cpp -o f.cpp
	# A sanitized runtime cannot be linked by a plain compiler.
	if "$sluice" cc f.cpp -o app 2>/dev/null; then
		claim "record: the program as the trace" keeps app "$sluice" record --program ./app -o ./app
	fi
fi

# ---- small files, long work ----------------------------------------------------------------------------------------

sparse() {
	mkdir -p sparse && sed 's/^-grid dim.*/-grid dim = (2147483647,1,1)/' t/kernel-1.traceg >sparse/kernel-1.traceg &&
		echo kernel-1.traceg >sparse/kernelslist.g && refuses '2147483643 of the grid' timeout 20 "$sluice" run sparse
}
claim "a grid of 2^31 CTAs of which four are there" sparse

# ---- limits of machines --------------------------------------------------------------------------------------------

claim "a memory-side cache with too many sets is refused by its key" refuses 'l3.bytes_per_channel' \
	"$sluice" run t --set l3.bytes_per_channel=67108864 --set l3.ways=4

finish
