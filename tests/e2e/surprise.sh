#!/bin/sh
# Nothing is executed by surprise: what stands in the place of a program or trace is decided by explicit rules.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2

# bait FILE: a script that leaves the file "executed" behind when it is run.
bait() {
	printf '#!/bin/sh\necho EXECUTED >&2\necho x >"%s/executed"\n' "$work" >"$1"
	chmod +x "$1"
}

# stays_unexecuted FILE COMMAND...: bad input, and the bait in FILE was not run.
stays_unexecuted() {
	bait "$1"
	shift
	exits 2 "$@" || return 1
	[ ! -e executed ] && return 0
	rm -f executed
	echo 'it was executed'
	return 1
}

mkdir folder
for name in e.sluice e.traceg e.traceg.xz kernelslist.g folder/kernelslist.g; do
	claim "run: $name is a trace, whatever is inside" stays_unexecuted $name "$sluice" run ./$name
	claim "run: so it is without a slash" stays_unexecuted $name "$sluice" run $name
	claim "compare: $name is a trace" stays_unexecuted $name "$sluice" compare $name --policy gto --policy lrr
	claim "tune: $name is a trace" stays_unexecuted $name "$sluice" tune $name --policy swl --param swl.n=1..2
	claim "record: $name is no program" stays_unexecuted $name "$sluice" record $name -o out.sluice
	claim "trace info: $name" stays_unexecuted $name "$sluice" trace info $name
done
claim "a folder with a script for its list" stays_unexecuted folder/kernelslist.g "$sluice" run folder

foreign_is_refused() {
	bait script
	refuses "does not link sluice's runtime" "$sluice" run ./script || return 1
	refuses "put --program in front of it" "$sluice" record ./script 5 -o out.sluice && [ ! -e executed ]
}
claim "a script is not run because it can be" foreign_is_refused

binary_is_refused() {
	cp /bin/true binary && refuses "does not link sluice's runtime" "$sluice" run ./binary --some words
}
claim "nor is a program of another compiler" binary_is_refused

named_is_run() {
	bait script
	refuses 'was not recorded' "$sluice" run --program ./script --policy lrr 5 || return 1
	[ -e executed ] || return 1
	rm -f executed
	bait e.sluice
	exits 2 "$sluice" record --program ./e.sluice -o out.sluice && [ -e executed ] || return 1
	rm -f executed
}
claim "--program runs what it names" named_is_run

named_behind_is_too_late() {
	bait script
	refuses 'not a program' "$sluice" record --program . -o out.sluice && [ ! -e executed ]
}
claim "--program does not make a program of a folder" named_behind_is_too_late

workload_wins() {
	bait atax
	refuses "no size 'huge'" "$sluice" run atax --size huge || return 1
	[ ! -e executed ]
}
claim "a workload's name is the workload, though a file has it" workload_wins

workload_is_noted() {
	bait atax
	mkdir -p mine/atax && cp "$root/workloads/index.yaml" mine/ && echo 'int main(' >mine/atax/atax.cu
	SLUICE_WORKLOADS=$work/mine "$sluice" record atax -o x.sluice >out 2>err
	grep -q "note: 'atax' is the workload; the file of that name is ./atax" err && [ ! -e executed ]
}
claim "and a note names the file" workload_is_noted

# An ELF file whose dynamic section is nonsense is looked at, not followed.
liars() {
	for size in 4 20 63 64 65 120 200 1000 5000; do
		head -c $size /bin/true >part && chmod +x part && exits 2 "$sluice" run ./part || return 1
	done
	at=24
	while [ $at -lt 800 ]; do
		cp /bin/true lie && printf '\377\377\377\177' | dd of=lie bs=1 seek=$at conv=notrunc 2>/dev/null &&
			exits 2 "$sluice" run ./lie || return 1
		at=$((at + 8))
	done
}
claim "a damaged ELF file is refused" liars

finish
