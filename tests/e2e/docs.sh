#!/bin/sh
# Generated pages are those of this binary.
set -u
. "$(dirname "$0")/common.inc"

counters_page_is_current() {
	"$sluice" counters --markdown >"$work/counters.md" && diff "$root/docs/counters.md" "$work/counters.md"
}
claim "docs/counters.md is what 'sluice counters --markdown' writes" counters_page_is_current
# Every new name of the table of renamed keys is one that the binary has, and no old one is.
renamed_keys_exist() {
	"$sluice" counters --markdown >"$work/counters.md" && "$sluice" machine keys >"$work/keys.md" || return 1
	grep -v '^#' "$root/tests/data/renamed-keys.tsv" | while read -r kind old new; do
		case $kind in
		counter) grep -q "^| \`$new\`" "$work/counters.md" && ! grep -q "^| \`$old\`" "$work/counters.md" ;;
		key) grep -q "^| \`${new#*.}\`" "$work/keys.md" && ! grep -q "^| \`${old#*.}\`" "$work/keys.md" ;;
		status) ;;
		added) grep -q "^| \`$old\`" "$work/counters.md" ;;
		*) false ;;
		esac || { echo "$kind $old $new" && return 1; }
	done
}
claim "tests/data/renamed-keys.tsv has the names of this binary" renamed_keys_exist
claim "'sluice counters' describes every counter" exits 0 "$sluice" counters

hooks_table_is_current() {
	"$sluice" policy hooks --markdown >"$work/hooks.md" &&
		sed '1,/^<!-- hooks -->$/d; /^<!-- \/hooks -->$/,$d' "$root/docs/policies.md" | diff - "$work/hooks.md"
}
claim "the table of docs/policies.md is what 'sluice policy hooks --markdown' writes" hooks_table_is_current
claim "'sluice policy hooks' describes every hook" exits 0 "$sluice" policy hooks

finish
