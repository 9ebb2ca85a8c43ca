#!/bin/sh
# Kernels that Triton compiled for sm_90a, as they are: run by sluice-ptx with the inputs of validation/triton/kernels.py,
# their results compared with samples from an H200.
#
#   tests/cuda/triton.sh SLUICE [NAME...]
set -u
. "$(dirname "$0")/../e2e/common.inc"
shift
. "$root/validation/triton/cases.sh"
# shellcheck disable=SC2086 # names, one word each
[ $# -gt 0 ] || set -- $triton_names

# samples FILE.json: the distance between the samples, then the samples, one per line.
samples() {
	tr -d ' \n' <"$1" | sed 's/.*"expected_step":\([0-9]*\).*"expected":\[\([^]]*\)\].*/\1,\2/' | tr ',' '\n'
}

# A product's sum may be rounded in another order; a half has eleven bits.
agrees() {
	awk -v type="$type" '
		NR == FNR && !step { step = $1; next }
		NR == FNR { want[count++] = $1; next }
		(FNR - 1) % step == 0 {
			w = want[seen++]
			difference = $1 < w ? w - $1 : $1 - w
			size = w < 0 ? -w : w
			allowed = type == "float16" ? 2e-3 * size + 1e-4 : 3e-6 * size + 1e-9
			if (!(difference <= allowed) && bad++ < 5)
				printf "value %d: %s, expected %s\n", FNR - 1, $1, w
		}
		END {
			printf "%d of %d samples differ\n", bad + count - seen, count
			exit bad || !count || seen != count
		}' "$work/samples" "$work/out"
}

# result NAME: runs it and compares.
result() {
	triton_case "$1"
	samples "$root/validation/triton/$1.json" >"$work/samples"
	exits 0 "$(dirname "$sluice")/sluice-ptx" "$root/validation/triton/$1.ptx" --entry "$1" --grid "$grid" \
		--block "$block" --shared "$shared" --args "$args" --print "$result" && agrees
}

for name; do
	claim "$name: the samples of the H200" result "$name"
done
finish
