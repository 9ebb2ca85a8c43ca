#!/bin/sh
# sluice doctor: what is missing, how to get it, and an exit status that scripts can use; --version; policy new.
set -u
. "$(dirname "$0")/common.inc"

# A PATH without compilers and Slurm.
mkdir -p "$work/bin"
for tool in sh env cat sed grep uname; do
	ln -sf "$(command -v $tool)" "$work/bin/$tool"
done

no_clang() {
	exits 1 env PATH="$work/bin" SLUICE_CLANG= "$sluice" doctor || return 1
	grep -q '^missing *clang' "$work/out" && grep -q 'apt install clang-19' "$work/out" &&
		grep -q '^optional *Slurm' "$work/out" && grep -q '^ok *machines' "$work/out"
}
claim "without clang it says so, how to get it, and exits with 1" no_clang

json_says_the_same() {
	exits 1 env PATH="$work/bin" "$sluice" doctor --json - || return 1
	grep -q '"ok": false' "$work/out" && grep -q '"state": "missing"' "$work/out" && ! grep -q '^missing' "$work/out"
}
claim "as JSON, too" json_says_the_same

few_papers tian
makes_nothing() {
	env SLUICE_CACHE_DIR="$work/not-yet" SLUICE_RESULTS="$work/not-yet/db" "$sluice" doctor >/dev/null
	[ ! -e "$work/not-yet" ]
}
claim "it makes nothing" makes_nothing
claim "a word is refused" refuses "unexpected argument 'all'" "$sluice" doctor all

# ---- --version ------------------------------------------------------------------------------------------------

version_of() {
	cmake -DSOURCE="$1" -DVERSION=1.2.3 -DOUT="$work/version.h" -P "$root/cmake/version.cmake" && cat "$work/version.h"
}
names_commit() {
	exits 0 "$sluice" --version && grep -qE '^sluice [0-9.]+ \(commit (unknown|[0-9a-f]+(-dirty)?, [0-9-]+)\)$' "$work/out"
}
claim "--version names the commit" names_commit

from_tarball() {
	mkdir -p "$work/tar/cmake" && echo 'abc1234 2026-01-31' >"$work/tar/cmake/commit.txt"
	version_of "$work/tar" | grep -qF '"1.2.3 (commit abc1234, 2026-01-31)"'
}
claim "a tarball knows its commit" from_tarball

without_anything() {
	# shellcheck disable=SC2016 # what git archive would replace
	echo '$Format:%h %cs$' >"$work/tar/cmake/commit.txt"
	version_of "$work/tar" | grep -qF '"1.2.3 (commit unknown)"'
}
claim "what never was in git says that it does not know" without_anything

from_repository() {
	repo=$work/repo
	git init -q "$repo" && echo one >"$repo/file" && git -C "$repo" add file &&
		git -C "$repo" -c user.name=a -c user.email=a@b commit -qm one || return 1
	version_of "$repo" | grep -qE 'commit [0-9a-f]{7,}, ' || return 1
	echo two >"$repo/file"
	version_of "$repo" | grep -qE 'commit [0-9a-f]{7,}-dirty, '
}
if command -v git >/dev/null; then
	claim "a repository names its commit, and marks changes" from_repository
fi

# ---- policy new ------------------------------------------------------------------------------------------------

new_policy() {
	exits 0 "$sluice" policy new my-policy "$work/mine" || return 1
	for file in my_policy.c CMakeLists.txt test.sh; do
		[ -s "$work/mine/$file" ] || { echo "no $file" && return 1; }
		! grep -n 'new[-_]policy' "$work/mine/$file" || return 1
	done
	cc -O2 -fPIC -shared -Wall -Wextra -Werror -I"$(dirname "$sluice")/include" "$work/mine/my_policy.c" -o "$work/my-policy.so" &&
		sh "$work/mine/test.sh" "$sluice" "$work/my-policy.so" "$root/examples/traces/vectoradd"
}
claim "policy new writes a policy that compiles and passes its test" new_policy

# Each kind compiles, does something, passes its test, and is short: 60 lines that are neither blank nor comment.
new_kind() {
	for kind in scheduler throttle bypass replacement prefetch l2 cta; do
		exits 0 "$sluice" policy new my-policy "$work/$kind" --kind $kind || return 1
		cc -std=c17 -O2 -fPIC -shared -Wall -Wextra -Werror -I"$(dirname "$sluice")/include" "$work/$kind/my_policy.c" -o "$work/$kind.so" &&
			sh "$work/$kind/test.sh" "$sluice" "$work/$kind.so" "$root/examples/traces/vectoradd" || return 1
		[ "$(grep -cv -e '^$' -e '^ *[/*]' "$work/$kind/my_policy.c")" -le 60 ] || { echo "$kind is long" && return 1; }
	done
}
claim "policy new --kind writes policies of seven kinds that compile and pass their tests" new_kind
claim "a name that is taken as well" refuses "there is a policy 'gto' already" "$sluice" policy new gto "$work/x"

finish
