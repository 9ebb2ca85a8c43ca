# The eight kernels, sourced by validation/triton/compare and tests/cuda/triton.sh: how `sluice run` launches each, with the
# inputs of kernels.py (random:SEED is its numbers()), and which argument is the result.
triton_names="vector_add softmax layer_norm matmul matmul_tma attention dropout grouped_gemm"

# Sets grid, block, shared, args, result and type for the kernel $1.
triton_case() {
	shared=0
	type=float16
	case $1 in
	vector_add)
		grid=97 block=128 result=3 type=float32
		args="buffer:float32[98432]=random:1,buffer:float32[98432]=random:2,buffer:float32[98432],int32:98432"
		;;
	softmax)
		grid=1823 block=256 shared=32 result=1 type=float32
		args="buffer:float32[1423763],buffer:float32[1423763]=random:3:4,int32:781,int32:781"
		;;
	layer_norm)
		grid=1024 block=128 shared=16 result=2
		args="buffer:float16[1048576]=random:4,buffer:float16[1048576],buffer:float32[1024]=random:5"
		args="$args,buffer:float32[1024]=random:6,int32:1024,int32:1024,float32:1e-5"
		;;
	matmul)
		grid=4,4 block=256 shared=98304 result=3
		args="buffer:float16[512x512]=random:7,buffer:float16[512x512]=random:8,buffer:float16[512x512]"
		args="$args,int32:512,int32:512,int32:512,int32:512,int32:512,int32:512"
		;;
	matmul_tma) # behind each map, its sizes and strides
		grid=4,4 block=256 shared=98328 result=11
		sizes=int32:512,int32:512,int64:512,int64:1
		args="tensor:float16[512x512]/128x64=random:7,$sizes,tensor:float16[512x512]/64x64=random:8,$sizes"
		args="$args,tensor:float16[512x512]/128x64,$sizes,int32:512"
		;;
	attention)
		grid=8,4 block=128 shared=57344 result=4
		args="buffer:float16[131072]=random:9,buffer:float16[131072]=random:10,buffer:float16[131072]=random:11"
		args="$args,buffer:float16[131072],float32:0.18033688,int32:512,int32:32768,int32:64"
		;;
	dropout)
		grid=64 block=128 result=2 type=float32
		args="buffer:float32[65536]=random:12,buffer:float32[65536],int32:65536,float32:0.3,int32:20261"
		;;
	grouped_gemm)
		grid=8 block=128 shared=49152 result=3
		args="buffer:float16[163840]=random:13,buffer:float16[262144]=random:14,buffer:float16[163840]"
		args="$args,buffer:int32[5]=list:0:100:356:420:640,int32:4,int32:256,int32:256"
		;;
	esac
	# Triton adds two pointers to scratch memory, which these kernels do not use.
	args="$args,null,null"
}
