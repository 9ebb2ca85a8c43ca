#!/bin/sh
# What kernels do wrong ends the launch with the right status and a report of kernel, source line, CTA and address.
#
#   tests/cuda/faults.sh SLUICE
set -u
. "$(dirname "$0")/../e2e/common.inc"
here=$root/tests/cuda
SLUICE_SPIN_BUDGET=200000
export SLUICE_SPIN_BUDGET

line_of() {
	grep -n "FAULT $1 \*/" "$here/faults/faults.cu" | cut -d: -f1
}

# reports KIND STATUS WORDS...: the status is given, stays, and the report has the place and each of the words.
reports() {
	kind=$1
	status=$2
	shift 2
	timeout 60 "$work/faults" "$kind" >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	grep -qx "status $status" "$work/out" || { echo "the status is not $status" && return 1; }
	grep -qx "later $status" "$work/out" || { echo "the status does not stay" && return 1; }
	for words in "$kind" "faults.cu:$(line_of "$kind")" "$@"; do
		grep -qF -e "$words" "$work/err" || { echo "the report lacks '$words'" && return 1; }
	done
}

compiles() {
	"$sluice" cc -O2 -lineinfo -o "$work/faults" "$here/faults/faults.cu"
}
claim "the program compiles" compiles

illegal=cudaErrorIllegalAddress
claim "a store past an allocation" reports past_the_end $illegal 'CTA (1,0,0)' 'warp 0' 'lanes 0x20' 'st.global' 0x
claim "a load before an allocation" reports before_the_start $illegal 'CTA (0,0,0)' 'ld.global' 0x
claim "a null pointer" reports null_pointer $illegal 'CTA (0,0,0)' null
claim "freed memory" reports freed_memory $illegal 'CTA (0,0,0)' 0x
claim "memory of the host" reports host_pointer $illegal 'CTA (0,0,0)' 0x
claim "a misaligned load" reports misaligned cudaErrorMisalignedAddress 'CTA (0,0,0)' 0x
claim "shared memory past its end" reports shared_past_the_end $illegal 'CTA (0,0,0)' 'ld.volatile.shared'
claim "local memory past its end" reports local_past_the_end $illegal 'CTA (0,0,0)' local
claim "an atomic past an allocation" reports atomic_past_the_end $illegal 'CTA (0,0,0)' 'atom' 0x
claim "a stack that overflows" reports stack_overflow cudaErrorIllegalAddress 'CTA (0,0,0)' stack
claim "a trap" reports trap cudaErrorLaunchFailure 'CTA (1,0,0)' trap
claim "a spin that cannot end" reports endless_spin cudaErrorLaunchTimeout 'CTA (0,0,0)'

# Each instruction is told once however often it runs; stores fault all the same.
reads_pass() {
	SLUICE_LENIENT_MEMORY=1 "$work/faults" before_the_start >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	grep -qx 'status cudaSuccess' "$work/out" && [ "$(grep -c warning "$work/err")" -eq 1 ] &&
		grep -qF "faults.cu:$(line_of before_the_start)" "$work/err"
}
claim "SLUICE_LENIENT_MEMORY: reads outside pass with one warning" reads_pass

stores_fault() {
	SLUICE_LENIENT_MEMORY=1 reports past_the_end $illegal 'st.global' &&
		SLUICE_LENIENT_MEMORY=1 reports null_pointer $illegal null
}
claim "and stores, and null pointers, fault as ever" stores_fault

switch_is_passed_on() {
	"$sluice" record --lenient-memory -o "$work/lenient.sluice" "$work/faults" before_the_start >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	grep -qx 'status cudaSuccess' "$work/out" && grep -q warning "$work/err"
}
claim "sluice record --lenient-memory" switch_is_passed_on

race_is_found() {
	"$sluice" record --check-races -o "$work/race.sluice" "$work/faults" race >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	grep -qi race "$work/err" && grep -qF "faults.cu:$(line_of race)" "$work/err"
}
claim "--check-races finds a race in shared memory" race_is_found

no_race_is_invented() {
	"$sluice" record --check-races -o "$work/fine.sluice" "$work/faults" fine >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	grep -qx 'status cudaSuccess' "$work/out" && ! grep -qi 'race' "$work/err"
}
claim "--check-races says nothing of a barrier in its place" no_race_is_invented

failure_is_kept_apart() {
	"$sluice" run "$work/faults" null_pointer >"$work/out" 2>"$work/err"
	[ $? -eq 4 ] && grep -q 'status cudaErrorIllegalAddress' "$work/out" "$work/err"
}
claim "sluice run of a program that fails says so by its exit status" failure_is_kept_apart

finish
