#!/bin/sh
# 1,000 random kernels, as many as ./check has time for (a clang compiles 100 per second); with SLUICE_TESTS=full
# 10,000. tests/cuda/random/run takes any number.
case ${SLUICE_TESTS:-} in
full) count=10000 ;;
*) count=1000 ;;
esac
exec sh "$(dirname "$0")/random/run" "$1" "${2:-$count}" "${3:-1}"
