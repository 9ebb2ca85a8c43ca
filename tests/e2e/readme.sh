#!/bin/sh
# Every command of the README works when it is pasted: blocks that begin with ```sh are run, line by line, from the root of
# the sources with the build folder in the place of build/. Several compile a .cu file. ./quickstart, which builds, is left to people.
set -u
. "$(dirname "$0")/common.inc"

# commands PAGE: the lines of its ```sh blocks (docs/own-policy.md has a test of its own: own_policy.sh).
commands() {
	awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$1"
}

binaries=$(dirname "$sluice")
mkdir "$work/tree"
for entry in "$root"/*; do
	[ "$entry" = "$binaries" ] || ln -s "$entry" "$work/tree/"
done
rm -f "$work/tree/build"
mkdir "$work/tree/build"
for entry in "$binaries"/*; do
	[ -d "$entry" ] && [ "$(basename "$entry")" != share ] || ln -s "$entry" "$work/tree/build/"
done
"$root/examples/rowwalk" "$work/tree/build/rowwalk" >/dev/null

runs() {
	(cd "$work/tree" && sh -c "$1" >"$work/out" 2>&1) || { cat "$work/out" && return 1; }
}
commands "$root/README.md" >"$work/commands"
while IFS= read -r command <&3; do
	[ "$command" = ./quickstart ] || claim "$command" runs "$command"
done 3<"$work/commands"

finish
