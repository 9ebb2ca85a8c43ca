#!/bin/sh
# Generated pages are those of this binary.
set -u
. "$(dirname "$0")/common.inc"

counters_page_is_current() {
	"$sluice" counters --markdown >"$work/counters.md" && diff "$root/docs/counters.md" "$work/counters.md"
}
claim "docs/counters.md is what 'sluice counters --markdown' writes" counters_page_is_current
claim "'sluice counters' describes every counter" exits 0 "$sluice" counters
claim "an argument is refused" refuses 'unexpected argument' "$sluice" counters all

finish
