#!/bin/sh
# The cache: who may fill it, what is collected, and what happens where there is none.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 2
make_trace t

# ---- no cache ------------------------------------------------------------------------------------------------------

TMPDIR=$work/tmp
export TMPDIR
mkdir tmp
no_cache() {
	SLUICE_CACHE_DIR=/proc/nowhere/cache exits 0 "$sluice" "$@" || return 1
	grep -q 'warning: /proc/nowhere/cache: cannot create the cache folder' err || { cat err && return 1; }
	[ -z "$(ls "$TMPDIR")" ] || { ls "$TMPDIR" && return 1; }
}
claim "run without a cache that can be made: a warning, and nothing is left" no_cache run t
claim "compare without a cache: a warning, and all simulations are shown" no_cache compare t --policy gto --policy lrr
claim "trace info without a cache" no_cache trace info t
echo file >file
not_a_folder() {
	SLUICE_CACHE_DIR=$work/file/cache exits 0 "$sluice" run t && grep -q 'nothing is kept' err
}
claim "a file in place of its folder is a warning, too" not_a_folder

# ---- of another user -----------------------------------------------------------------------------------------------

open_to_all() {
	mkdir -p open && chmod 777 open && SLUICE_CACHE_DIR=$work/open refuses 'others can write to it' "$sluice" run t &&
		chmod 755 open && SLUICE_CACHE_DIR=$work/open exits 0 "$sluice" run t
}
claim "a cache that everybody can write to is refused" open_to_all

strangers() {
	[ "$(id -u)" = 0 ] || return 0
	mkdir -p theirs && chown 12345 theirs && SLUICE_CACHE_DIR=$work/theirs refuses 'belongs to another user' "$sluice" run t
}
claim "so is one of another user" strangers

# ---- list and gc ---------------------------------------------------------------------------------------------------

entries() {
	"$sluice" cache list >list && sed -n 's/.*: \([0-9]*\) entries.*/\1/p' list
}
is_listed() {
	exits 0 "$sluice" run t && exits 0 "$sluice" compare t --policy gto --policy lrr || return 1
	[ "$(entries)" = 1 ] && grep -q ' import ' list
}
claim "list shows what is kept" is_listed

# A process that is gone left these; one that lives, and one that has only begun, hold theirs.
leftovers() {
	mkdir -p cache/programs/tmp-1-0 cache/programs/tmp-2-0 cache/programs/tmp-3-0/deep/er
	echo x >cache/programs/tmp-1-0/trace.sluice.7-0.tmp && echo x >cache/programs/tmp-3-0/deep/er/y && echo x >cache/t.sluice.9-0.tmp
	ln -s / cache/programs/tmp-1-0/link
	touch -d '2 hours ago' cache/programs/tmp-1-0 cache/programs/tmp-3-0 cache/t.sluice.9-0.tmp
	mkdir -p cache/programs/tmp-4-0 && touch -d '2 hours ago' cache/programs/tmp-4-0
	flock -s cache/programs/tmp-4-0 sleep 20 &
	holder=$!
	sleep 0.3
	exits 0 "$sluice" cache gc
	rc=$?
	kill $holder
	[ $rc = 0 ] && [ ! -e cache/programs/tmp-1-0 ] && [ ! -e cache/programs/tmp-3-0 ] && [ ! -e cache/t.sluice.9-0.tmp ] &&
		[ -e cache/programs/tmp-2-0 ] && [ -e cache/programs/tmp-4-0 ] && [ -e /bin ]
}
claim "gc collects what ended processes left, and nothing else" leftovers

import_collects() {
	echo x >cache/t.sluice.9-0.tmp && touch -d '2 hours ago' cache/t.sluice.9-0.tmp
	touch t/kernel-1.traceg && exits 0 "$sluice" run t && [ ! -e cache/t.sluice.9-0.tmp ]
}
claim "so does an import" import_collects

oldest_go_first() {
	rm -rf cache && mkdir two && cp -r t two/a && cp -r t two/b && exits 0 "$sluice" run two/a && exits 0 "$sluice" run two/b &&
		touch -d '3 hours ago' cache/b-* && touch -d '5 hours ago' cache/a-* && exits 0 "$sluice" run two/a || return 1
	size=$(stat -c %b cache/a-*.sluice)
	exits 0 "$sluice" cache gc --max-size $((size * 512)) && [ "$(ls cache)" = "$(basename cache/a-*.sluice)" ]
}
claim "--max-size removes what was not used for longest; use counts, not age" oldest_go_first
everything() {
	exits 0 "$sluice" cache gc --max-size 0 && [ "$(entries)" = 0 ] && exits 0 "$sluice" run two/a
}
claim "--max-size 0 empties it, and all can be made again" everything

# ---- what is executed from it ----------------------------------------------------------------------------------------

if "$sluice" cc --version >/dev/null 2>&1; then
	printf '__global__ void k(void) {}\nint main() { k<<<1, 32>>>(); return 0; }\n' >prog.cu
	tampered() {
		exits 0 "$sluice" run prog.cu || return 1
		app=$(echo cache/programs/build-prog.cu-*/app)
		printf '#!/bin/sh\necho x >%s/executed\n' "$work" >"$app"
		exits 0 "$sluice" run prog.cu && [ ! -e executed ] && ! head -c 2 "$app" | grep -q '#!'
	}
	claim "a compiled program that was changed is compiled again, not executed" tampered
	writable() {
		app=$(echo cache/programs/build-prog.cu-*/app)
		before=$(stat -c %Y "$app") && chmod o+w "$app" && sleep 1 && exits 0 "$sluice" run prog.cu --again &&
			[ "$(stat -c %Y cache/programs/build-prog.cu-*/app)" != "$before" ]
	}
	claim "so is one that others can write to" writable
fi

finish
