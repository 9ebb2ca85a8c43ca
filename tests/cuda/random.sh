#!/bin/sh
# 10,000 random kernels, as many as ./check has time for; tests/cuda/random/run takes any number.
exec sh "$(dirname "$0")/random/run" "$1" "${2:-10000}" "${3:-1}"
