#!/bin/sh
# Small projects in the manner of other people's, built by make, CMake and autoconf with a toolkit folder that
# `sluice toolkit` makes; none of them knows of sluice. Each must build, run and find its own result right.
#
#   tests/cuda/projects.sh SLUICE [NAME...]
set -u
. "$(dirname "$0")/../e2e/common.inc"
shift
here=$root/tests/cuda
JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
kit=$work/kit
"$sluice" toolkit "$kit" >/dev/null || exit 1
cp -R "$here/projects/." "$work"
export kit work
unset SLUICE_TOOLKIT CUDA_HOME CUDA_PATH CUDAToolkit_ROOT CUDACXX NVCC
# shellcheck disable=SC2046 # names, one word each
[ $# -gt 0 ] || set -- $(cd "$here/projects" && ls)

# How each kind is told where CUDA is; the names of the variables are the projects' own.
cat >"$work/one" <<'END'
name=$1
cd "$work/$name" || exit 1
exec >"../$name.log" 2>&1
verdict() {
	echo "$1 - $name $2" >"../$name.result"
	exit 0
}
PATH=$kit/bin:$PATH
export PATH
case $name in
*-blas | *-libraries)
	[ -e "$kit/lib64/libcublas.so" ] || verdict ok "# skipped: libcublas was not built"
	;;
esac
case $name in
make-*)
	make CUDA_DIR="$kit" CUDA_HOME="$kit" CUDA_PATH="$kit" CUDA_INSTALL_PATH="$kit" CUDA="$kit" || verdict "not ok" "builds"
	;;
cmake-*)
	command -v cmake >/dev/null || verdict ok "# skipped: there is no cmake"
	cmake -S . -B build -DCMAKE_CUDA_COMPILER="$kit/bin/nvcc" -DCUDA_TOOLKIT_ROOT_DIR="$kit" &&
		cmake --build build || verdict "not ok" "builds"
	cp "build/$name" .
	;;
autoconf-*)
	command -v autoconf >/dev/null || verdict ok "# skipped: there is no autoconf"
	CUDA_HOME=$kit
	export CUDA_HOME
	autoconf && ./configure --quiet --with-cuda="$kit" && make || verdict "not ok" "builds"
	;;
script-*)
	CUDA_HOME=$kit sh ./build.sh || verdict "not ok" "builds"
	;;
esac
timeout 60 "./$name" >../$name.out 2>&1
status=$?
cat ../$name.out
[ $status -eq 0 ] && grep -qx "$name PASS" ../$name.out || verdict "not ok" "computes the right result (exit status $status)"
verdict ok "builds and computes the right result"
END
# Those with a configure step take longest: first.
for name in "$@"; do echo "$name"; done | sort | xargs -P "$JOBS" -n 1 sh "$work/one"

failures=0
for name in "$@"; do
	cat "$work/$name.result"
	grep -q '^ok' "$work/$name.result" && continue
	failures=$((failures + 1))
	tail -"${LINES_SHOWN:-15}" "$work/$name.log" | sed 's/^/# /'
done
echo "# $# projects, $failures failed"
[ $failures -eq 0 ]
