#!/bin/sh
# A few of the faults that scripts/inject-faults can inject; --all of it takes hours.
set -u
. "$(dirname "$0")/common.inc"
case $(nm -D "$sluice" 2>/dev/null) in
*__asan_init* | *__tsan_init*)
	echo "ok - a sanitized build has its own malloc: nothing is injected"
	finish
	;;
esac
SLUICE_FAULTS_PER_CALL=1
export SLUICE_FAULTS_PER_CALL
claim "what fails is said, and leaves nothing half-done" "$root/scripts/inject-faults" "$(dirname "$sluice")" run import export info compare validate sweep cc record
finish
