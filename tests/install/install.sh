#!/bin/sh
# tests/install/install.sh SOURCE BUILD files|smoke: what `cmake --install` makes works after it was moved, from another
# folder (smoke), and knows nothing of the sources and the build folder (files).
set -u
source=$1 build=$2 part=$3
# shellcheck disable=SC2034 # common.inc looks for it
SLUICE=$build/sluice
set -- "$build/sluice"
. "$source/tests/e2e/common.inc"

installs() {
	umask 022
	cmake --install "$build" --prefix "$work/first" --strip && mv "$work/first" "$work/second place"
}
claim "an installation can be made, and moved" installs
prefix="$work/second place"

smokes() {
	(cd / && "$prefix/share/sluice/smoke" "$prefix/bin/sluice")
}
if [ "$part" = smoke ]; then
	claim "what the package is tested with passes" smokes
	finish
fi

has_the_usual_folders() {
	for path in bin/sluice lib/sluice/libsluicert.so include/sluice/policy.h include/sluice/policy/hooks.def include/sluice/policy/prefetch.h include/sluice/policy/lib/frames.h \
		share/pkgconfig/sluice.pc share/sluice/machines/h200.yaml share/sluice/workloads/index.yaml \
		share/sluice/papers/ciao/claims.yaml share/sluice/include/cuda/cuda_runtime.h share/man/man1/sluice.1 \
		share/man/man1/sluice-run.1 share/bash-completion/completions/sluice share/zsh/vendor-completions/_sluice \
		share/fish/vendor_completions.d/sluice.fish share/doc/sluice-gpusim/README.md; do
		[ -s "$prefix/$path" ] || { echo "no $path" && return 1; }
	done
}
claim "with the usual folders" has_the_usual_folders

# A path of this machine in an installed file would work here and nowhere else.
knows_no_path() {
	found=$(grep -rlF -e "$source" -e "$build" -e "$work/first" "$prefix")
	[ -z "$found" ] || { echo "$found" && return 1; }
}
claim "in which no file names the sources, the build folder or where it was first" knows_no_path

# Files of the sources and the build folder that the command opens; strace is the witness.
opens_no_source() {
	command -v strace >/dev/null || return 0
	(cd "$work" && strace -f -e trace=%file -o "$work/calls" "$prefix/bin/sluice" run "$prefix/share/sluice/examples/kernels/share.cu" \
		--machine gtx480-ciao --max-insns 1K >/dev/null) || return 1
	grep -q cuda_runtime.h "$work/calls" || return 1
	grep -F -e "$source/" -e "$build/" "$work/calls" | grep -v -e ENOENT | grep . && return 1
	return 0
}
if strace -o /dev/null true 2>/dev/null; then
	claim "and none of theirs is opened, compiling and simulating a program" opens_no_source
fi

finish
