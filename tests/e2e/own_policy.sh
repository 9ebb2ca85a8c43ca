#!/bin/sh
# A user's own policy: the page that explains it, the example, and what is refused before cycle 0. Its page also runs examples/kernels/stream.cu.
set -u
. "$(dirname "$0")/common.inc"

if ! command -v make >/dev/null || ! command -v cc >/dev/null; then
	echo "ok - no make or compiler here: nothing to show"
	finish
fi
folder=$(cd "$(dirname "$sluice")" && pwd)
cd "$work" || exit 2

# ---- the page ----------------------------------------------------------------------------------------------

# blocks LANGUAGE: the page's code blocks in that language, one after the other.
blocks() {
	awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/own-policy.md"
}

header_is_there() {
	cmp "$root/src/policy/policy.h" "$folder/include/sluice/policy.h"
}
claim "sluice/policy.h lies next to the program, as it is in the sources" header_is_there

# The page's commands run in the sources; here they run in a folder that looks like them.
mkdir -p sources/build/mine
ln -s "$root/examples" "$root/src" "$root/docs" sources/
ln -s "$folder/sluice" "$folder/include" sources/build/
SLUICE=$folder/sluice
export SLUICE

# Sanitizers, which take ten times as long, get the matrix of the tests below; the page shows results of the whole one.
smaller=''
[ -z "${SLUICE_TEST_SHARE:-}" ] || smaller='s|^examples/rowwalk build/rowwalk$|& 4 8|'
page_works() {
	blocks c >sources/build/mine/youngest.c && [ -s sources/build/mine/youngest.c ] || return 1
	blocks sh | sed "$smaller" >page.sh && [ -s page.sh ] && (cd sources && sh -ex ../page.sh) >page.out 2>page.err || {
		cat page.out page.err
		return 1
	}
	holds page.out 'few-loads: only the n oldest' 'best: build/mine/few_loads.so:n=1' 'under youngest' 'speed-up over gto' || return 1
	sed -n '/^    policy .*speed-up/,/^$/p' "$root/docs/own-policy.md" | sed 's/^    //; /^$/d' >shown
	[ "$(wc -l <shown)" = 3 ] || return 1
	[ -z "$smaller" ] || : >shown
	while IFS= read -r line; do
		grep -qF -e "$line" page.out || { echo "shown: $line" && cat page.out && return 1; }
	done <shown
	[ -s sources/build/mine/result.html ] && grep -q '"loads_held"' sources/build/mine/result.json
}
claim "every command and every line of code of docs/own-policy.md works" page_works

example_is_short() {
	[ "$(wc -l <"$root/examples/policy/few_loads.c")" -le 60 ]
}
claim "the example has at most 60 lines" example_is_short

# make_policy NAME TEXT: NAME.so from the C code.
make_policy() {
	printf '#include <sluice/policy.h>\n%s\n' "$2" >"$1.c"
	make -s -f "$root/examples/policy/Makefile" "$1.so"
}

# ---- behaviour ---------------------------------------------------------------------------------------------

mine=sources/build/mine/few_loads.so
"$root/examples/rowwalk" rowwalk 4 8
run() {
	"$sluice" run rowwalk --machine gtx480-ciao "$@"
}

# cycles POLICY
cycles() {
	run --policy "$1" --json - 2>/dev/null | awk '/"cycles":/ && /[0-9]/ { gsub(/[^0-9]/, ""); print; exit }'
}

parameters_count() {
	few=$(cycles "$mine:n=1") many=$(cycles "$mine:n=64") gto=$(cycles gto)
	echo "cycles: n=1 $few, n=64 $many, gto $gto"
	[ -n "$few" ] && [ "$many" = "$gto" ] && [ "$few" != "$many" ]
}
claim "its parameter changes the result, and without effect it gives what gto gives" parameters_count

is_named() {
	run --policy "$mine" --json named.json >/dev/null 2>&1 && grep -q '"policy": "few-loads:n=2,gto"' named.json
}
claim "JSON names it with its parameters" is_named

results_follow_the_object() {
	cp "$mine" copy.so && exits 0 "$sluice" compare rowwalk --policy ./copy.so && grep -q 'simulated 1 of 1' err || return 1
	exits 0 "$sluice" compare rowwalk --policy ./copy.so && grep -q 'simulated 0 of 1' err || return 1
	sed 's/"only the n oldest/"just the n oldest/' "$root/examples/policy/few_loads.c" >copy.c &&
		make -s -f "$root/examples/policy/Makefile" copy.so && exits 0 "$sluice" compare rowwalk --policy ./copy.so &&
		grep -q 'simulated 1 of 1' err
}
claim "a result is found again only while the object's bytes are the same" results_follow_the_object

crash_is_reported() {
	make_policy crash 'static uint32_t order(void *sm, const struct sched_view *view, uint64_t eligible)
{ (void)sm, (void)view, (void)eligible; __builtin_trap(); }
const struct policy sluice_policy = {.abi = POLICY_ABI, .name = "crash", .order = order};' || return 1
	refuses 'crash: the simulation' "$sluice" compare rowwalk --policy ./crash.so --policy gto
}
claim "a policy that crashes ends its own process, and the comparison says so" crash_is_reported

# ---- refusals ----------------------------------------------------------------------------------------------

make_policy other_version 'const struct policy sluice_policy = {.abi = POLICY_ABI + 1, .name = "other"};'
make_policy no_symbol 'const struct policy another_name = {.abi = POLICY_ABI, .name = "other"};'
make_policy no_name 'const struct policy sluice_policy = {.abi = POLICY_ABI};'
make_policy unresolved 'extern uint32_t nowhere(void *, const struct sched_view *, uint64_t); const struct policy sluice_policy = {.abi = POLICY_ABI, .name = "other", .order = nowhere};'
echo 'not an object' >text.so
mkdir folder.so

# Each before cycle 0: nothing is printed but the message.
refuses_policy() {
	refuses "$1" run --policy "$2" && [ ! -s out ] || return 1
	[ "$(wc -l <err)" = 1 ] && refuses "$1" "$sluice" compare rowwalk --policy gto --policy "$2" && [ ! -s out ]
}
claim "an object of another version of the interface" refuses_policy 'made for version' ./other_version.so
claim "an object without the symbol" refuses_policy 'has no symbol sluice_policy' ./no_symbol.so
claim "a policy without a name" refuses_policy 'needs a name' ./no_name.so
claim "an object that needs something it lacks" refuses_policy 'cannot be loaded' ./unresolved.so
claim "a file that is no object" refuses_policy 'cannot be loaded' ./text.so
claim "a folder" refuses_policy 'not a file' ./folder.so
claim "a file that is not there" refuses_policy 'no such policy file' ./nowhere.so
claim "an unknown parameter, with a suggestion" refuses_policy "no parameter 'm'" "$mine:m=1"
claim "a value out of range" refuses_policy 'n must be 1 to 64 warps' "$mine:n=65"
claim "a value that is no whole number" refuses_policy 'whole number' "$mine:n=1.5"
claim "a value that is no number" refuses_policy "'two' is no value for n" "$mine:n=two"
claim "the same policy twice" refuses_policy 'given twice' "$mine,$mine"
claim "two schedulers" refuses_policy 'both own' "gto,sources/build/mine/youngest.so"

finish
