#!/bin/sh
# A program whose build is a script.
set -e
: "${CUDA_HOME:?say where CUDA is}"
nvcc=$CUDA_HOME/bin/nvcc
"$nvcc" -arch=native -O3 --use_fast_math -Xptxas -O3,-v -I"$CUDA_HOME/include" -Iinclude -c src/stencil.cu -o stencil.o
"$nvcc" -x cu -c src/main.cc -Iinclude -o main.o
"$nvcc" -o script-build main.o stencil.o -Xlinker -rpath,"$CUDA_HOME/lib64"
