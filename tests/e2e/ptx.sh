#!/bin/sh
# Kernels of PTX files: what `sluice run k.ptx` launches, shows and refuses.
set -u
. "$(dirname "$0")/common.inc"
cd "$work" || exit 1
run() { "$sluice" run "$@"; }

cat >k.ptx <<'END'
.version 8.0
.target sm_90
.address_size 64
.visible .entry scale(.param .u64 data, .param .f32 factor, .param .u32 count)
{
	.reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .f32 %f<4>;
	ld.param.u64 %rd1, [data]; ld.param.f32 %f1, [factor]; ld.param.u32 %r1, [count];
	mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4; setp.ge.u32 %p1, %r5, %r1; @%p1 bra DONE;
	mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2;
	ld.global.f32 %f2, [%rd3]; mul.f32 %f3, %f2, %f1; st.global.f32 [%rd3], %f3;
DONE:	ret;
}
END
{ cat k.ptx; sed '1,3d;s/scale/second/' k.ptx; } >two.ptx
launch='--grid 2 --block 64'
# shellcheck disable=SC2086 # words
{
	scaled() {
		exits 0 run k.ptx $launch --args 'buffer:float32[128]=ramp,float32:2,int32:3' --print 1 &&
			[ "$(head -4 out | tr '\n' ' ')" = '0 2 4 3 ' ] && grep -q 'scale *2 *64 *done' out
	}
	claim "a kernel is launched, its buffer shown, and it is simulated" scaled
	again() {
		scaled && "$sluice" record k.ptx $launch --args 'buffer:float32[128]=ramp,float32:2,int32:3' --print 1 -o k.sluice &&
			"$sluice" trace info k.sluice | grep -q scale &&
			exits 0 "$sluice" compare --policy gto --policy lrr k.ptx $launch --args 'buffer:float32[128]=ramp,float:2,int:3'
	}
	claim "it is found again, recorded, compared" again
	kept() {
		printf 'abcdefgh' >in && exits 0 "$(dirname "$sluice")/sluice-ptx" k.ptx \
			--args 'buffer:uint8[8]=@in,float:1,int:2' --out 1=kept && cmp in kept
	}
	claim "bytes come from a file and go to one" kept
	filled() {
		exits 0 "$(dirname "$sluice")/sluice-ptx" k.ptx \
			--args "buffer:$1,float:1,int:0" --print 1 && [ "$(tr '\n' ' ' <out)" = "$2 " ]
	}
	all_filled() {
		filled 'int8[4]=list:-128:0:127' '-128 0 127 0' && filled 'float16[3]=list:1.5:65504:1e-7' '1.5 65504 1.1921e-07' &&
			filled 'bfloat16[2]=list:1:-3.140625' '1 -3.1406' && filled 'float8e4m3[3]=list:448:1000:-0.5' '448 448 -0.5' &&
			filled 'float8e5m2[2]=list:57344:1e9' '57344 inf' && filled 'uint64[1]=list:18446744073709551615' '18446744073709551615' &&
			filled 'float64[2]=random:3:4' "$(awk 'BEGIN { for (i = 0; i < 2; i++) { x = (i * 1103515245 + 12345 * 4) % 2147483648; printf "%s%.17g", i ? " " : "", (int(x / 65536) % 256 / 128 - 1) * 4 } }')"
	}
	claim "buffers are filled with values of every type" all_filled
	claim "a module of two kernels wants a name" says 1 'has 2 kernels: name one with --entry' \
		"$(dirname "$sluice")/sluice-ptx" two.ptx
	named() {
		exits 0 run two.ptx --entry second $launch --args 'buffer:float32[128],float:1,int:1' && grep -q 'second' out
	}
	claim "and takes it" named
	for row in \
		'1|2 arguments were given, the kernel has 3 parameters|--args|buffer:float32[8],float:1' \
		"1|the kernel's parameter 4|--args|buffer:float32[8],float64:1,int:1" \
		'2|is not TYPE:VALUE|--args|float33:1' '2|is not a number of that type|--args|int8:300' \
		'2|is not buffer:TYPE|--args|buffer:float32[0]' '2|is not tensor:TYPE|--args|tensor:float16[8x8]/8' \
		'2|does not fill a buffer|--args|buffer:int8[4]=noise' '2|No such file|--args|buffer:int8[4]=@none' \
		'2|has more than the 4 bytes|--args|buffer:int8[4]=@k.ptx' '2|unknown option|--argz|1' \
		'2|not what the option expects|--grid|0' '2|there is none of|--print|1'; do
		status=${row%%|*} rest=${row#*|}
		words=${rest%%|*} rest=${rest#*|}
		claim "refused: $rest" says "$status" "$words" "$(dirname "$sluice")/sluice-ptx" k.ptx "${rest%%|*}" "${rest#*|}"
	done
}
finish
