/* What lanes do together: shuffles, votes, matches, reductions, warp-level barriers; warps of 64 lanes. */
#include "lib/exec_fixture.h"

#define REGS ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>;\n"
#define KERNEL(name)                                                                                         \
	".visible .entry " name "(.param .u64 out)\n{\n" REGS                                                \
	"mov.u32 %r1, %tid.x; ld.param.u64 %rd2, [out]; mul.wide.s32 %rd3, %r1, 32; add.s64 %rd1, %rd2, "    \
	"%rd3;\n"

static struct fixture *f;

/* Eight words per thread. */
static uint32_t (*run(const char *text, const char *kernel, unsigned threads, unsigned lanes))[8]
{
	struct exec_options o = {.warp_size = lanes, .sm_count = 2, .ctas_per_sm = 2, .spin_budget = 1 << 22};
	f = fixture_new(text, &o);
	uint64_t out = fixture_buffer(f, 128 * 32);
	if (fixture_launch(f, kernel, (struct grid){1, threads, 0}, out, 0, 0) != EXEC_DONE)
		return NULL;
	return device_host(out);
}

static const char shuffles[] =
    PTX_HEAD KERNEL("shuffles") "mul.lo.s32 %r5, %r1, 10; shfl.sync.up.b32 %r10|%p1, %r5, 3, 0, -1; "
                                "shfl.sync.down.b32 %r11|%p2, %r5, 5, 31, -1;\n"
                                "shfl.sync.bfly.b32 %r12, %r5, 7, 31, -1; shfl.sync.idx.b32 %r13, %r5, 9, "
                                "31, -1; shfl.sync.down.b32 %r14|%p3, %r5, 4, 0x181f, -1;\n"
                                "selp.b32 %r15, 1, 0, %p1; selp.b32 %r16, 1, 0, %p2; selp.b32 %r17, 1, 0, "
                                "%p3; st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13}; st.global.v4.u32 "
                                "[%rd1+16], {%r14, %r15, %r16, %r17}; ret;\n}\n";

static bool shuffles_are_right(uint32_t (*out)[8], unsigned threads)
{
	for (unsigned t = 0; t < threads; t++) {
		unsigned i = t % 32, base = t - i;
		uint32_t want[8] = {10 * (i >= 3 ? t - 3 : t),
		                    10 * (i + 5 <= 31 ? t + 5 : t),
		                    10 * (base + (i ^ 7)),
		                    10 * (base + 9),
		                    10 * (i % 8 + 4 <= 7 ? t + 4 : t),
		                    i >= 3,
		                    i + 5 <= 31,
		                    i % 8 + 4 <= 7};
		if (memcmp(out[t], want, sizeof want))
			return false;
	}
	return true;
}

TEST(shuffles_read_other_lanes_inside_of_their_segment)
{
	uint32_t(*out)[8] = run(shuffles, "shuffles", 64, 32);
	CHECK(out && shuffles_are_right(out, 64));
	fixture_free(f);
}

TEST(warps_of_64_lanes_shuffle_in_halves)
{
	uint32_t(*out)[8] = run(shuffles, "shuffles", 128, 64);
	CHECK(out && shuffles_are_right(out, 128));
	/* Two warps instead of four. */
	CHECK_EQ(exec_totals(f->exec).warp_insns, 2 * 16);
	fixture_free(f);
}

static const char votes[] = PTX_HEAD KERNEL(
    "votes") "setp.lt.u32 %p1, %r1, 20; vote.sync.ballot.b32 %r10, %p1, -1; vote.sync.all.pred %p2, %p1, -1; "
             "vote.sync.any.pred %p3, %p1, -1; vote.sync.uni.pred %p4, !%p1, -1;\n"
             "selp.b32 %r11, 1, 0, %p2; selp.b32 %r12, 1, 0, %p3; selp.b32 %r13, 1, 0, %p4; and.b32 %r5, "
             "%r1, 3; match.any.sync.b32 %r14, %r5, -1; match.all.sync.b32 %r15|%p5, %r5, -1;\n"
             "mov.u32 %r16, 0; mov.u32 %r17, 0; @!%p1 bra END; activemask.b32 %r16; vote.sync.ballot.b32 "
             "%r17, 1, 0xfffff;\n"
             "END: st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13}; st.global.v4.u32 [%rd1+16], {%r14, "
             "%r15, %r16, %r17}; ret;\n}\n";

TEST(votes_and_matches_see_the_active_lanes)
{
	uint32_t(*out)[8] = run(votes, "votes", 32, 32);
	CHECK(out);
	for (unsigned i = 0; i < 32; i++) {
		uint32_t part = i < 20 ? 0xfffff : 0;
		uint32_t want[8] = {0xfffff, 0, 1, 0, 0x11111111u << (i & 3), 0, part, part};
		CHECK(!memcmp(out[i], want, sizeof want));
	}
	fixture_free(f);
}

static const char reductions[] = ".version 7.0\n.target sm_80\n.address_size 64\n" KERNEL(
    "reductions") "sub.s32 %r5, %r1, 10; redux.sync.add.s32 %r10, %r5, -1; redux.sync.min.s32 %r11, %r5, -1; "
                  "redux.sync.max.s32 %r12, %r5, -1; redux.sync.and.b32 %r13, %r1, -1;\n"
                  "redux.sync.or.b32 %r14, %r1, -1; redux.sync.xor.b32 %r15, %r1, -1; redux.sync.min.u32 "
                  "%r16, %r5, -1; redux.sync.max.u32 %r17, %r5, -1;\n"
                  "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13}; st.global.v4.u32 [%rd1+16], {%r14, "
                  "%r15, %r16, %r17}; ret;\n}\n";

TEST(reductions_give_all_lanes_the_result)
{
	uint32_t(*out)[8] = run(reductions, "reductions", 32, 32);
	uint32_t want[8] = {176, (uint32_t)-10, 21, 0, 31, 0, 0, (uint32_t)-1};
	CHECK(out);
	for (unsigned i = 0; i < 32; i++)
		CHECK(!memcmp(out[i], want, sizeof want));
	fixture_free(f);
}

/* Both sides of a branch shuffle under a full mask at one place, reached by a backward jump of the second. */
static const char meeting[] =
    PTX_HEAD KERNEL("meeting") "setp.lt.u32 %p1, %r1, 16; mov.u32 %r5, %r1; @%p1 bra LOW; add.s32 %r5, %r5, "
                               "100; bar.warp.sync -1; bra.uni END;\n"
                               "LOW: bar.warp.sync -1; END: shfl.sync.idx.b32 %r10, %r5, 31, 31, -1; "
                               "st.global.u32 [%rd1], %r10; ret;\n}\n";

TEST(warp_barriers_in_both_branches_let_the_lanes_go_on)
{
	uint32_t(*out)[8] = run(meeting, "meeting", 32, 32);
	CHECK(out);
	for (unsigned i = 0; i < 32; i++)
		CHECK_EQ(out[i][0], 131);
	fixture_free(f);
}

static const char specials[] = PTX_HEAD KERNEL(
    "specials") "mov.u32 %r10, %laneid; mov.u32 %r11, %warpid; mov.u32 %r12, %ntid.x; mov.u32 %r13, WARP_SZ; "
                "mov.u32 %r14, %lanemask_lt; mov.u64 %rd5, %clock64; mov.u64 %rd6, %clock64;\n"
                "sub.s64 %rd7, %rd6, %rd5; setp.gt.s64 %p1, %rd7, 0; selp.b32 %r15, 1, 0, %p1; mov.b64 "
                "{%r16, %r17}, %rd2; mov.b64 %rd8, {%r16, %r17}; setp.eq.s64 %p2, %rd8, %rd2; selp.b32 %r16, "
                "1, 0, %p2; mov.u32 %r17, %nsmid;\n"
                "st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13}; st.global.v4.u32 [%rd1+16], {%r14, %r15, "
                "%r16, %r17}; ret;\n}\n";

TEST(special_registers_and_packed_moves)
{
	uint32_t(*out)[8] = run(specials, "specials", 96, 32);
	CHECK(out);
	for (unsigned i = 0; i < 96; i++) {
		uint32_t want[8] = {i % 32, i / 32, 96, 32, (1u << i % 32) - 1, 1, 1, 2};
		CHECK(!memcmp(out[i], want, sizeof want));
	}
	fixture_free(f);
}

/* ---- textures ------------------------------------------------------------------------------------------- */

static const char fetch[] = PTX_HEAD
    ".global .texref ref;\n.visible .entry fetch(.param .u64 out, .param .u64 object, .param .u64 n)\n{\n"
    ".reg .f32 %f<20>; .reg .b32 %r<20>; .reg .b64 %rd<9>;\nmov.u32 %r1, %tid.x; ld.param.u64 %rd2, [out]; "
    "mul.wide.s32 %rd3, %r1, 16; add.s64 %rd1, %rd2, %rd3; ld.param.u64 %rd4, [object];\n"
    "cvt.rn.f32.s32 %f1, %r1; mul.f32 %f2, %f1, 0f3E800000; add.f32 %f2, %f2, 0fBF000000; mov.f32 %f3, "
    "0f3FC00000;\n"
    "tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd4, {%f2, %f3}]; tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, "
    "[ref, {%r1}]; txq.width.b32 %r8, [%rd4];\n"
    "st.global.f32 [%rd1], %f4; st.global.u32 [%rd1+4], %r4; st.global.u32 [%rd1+8], %r7; st.global.u32 "
    "[%rd1+12], %r8; ret;\n}\n";

TEST(textures_filter_clamp_and_read_linear_memory)
{
	f = fixture_new(fetch, NULL);
	uint64_t image = fixture_buffer(f, 4 * 2 * 4), list = fixture_buffer(f, 16 * 2),
	         out = fixture_buffer(f, 64 * 16);
	float *texels = device_host(image);
	uint16_t *items = device_host(list);
	for (unsigned i = 0; i < 8; i++)
		texels[i] = (float)(10 * i);
	for (unsigned i = 0; i < 16; i++)
		items[i] = (uint16_t)(1000 + i);
	uint64_t object =
	    exec_new_texture(f->exec, &(struct texture){.address = image,
	                                                .dimensions = 2,
	                                                .width = 4,
	                                                .height = 2,
	                                                .pitch_bytes = 16,
	                                                .channels = 1,
	                                                .channel_bits = 32,
	                                                .kind = TEXEL_FLOAT,
	                                                .filter = TEXTURE_LINEAR,
	                                                .address_mode = {TEXTURE_CLAMP, TEXTURE_CLAMP}});
	uint64_t ref = f->module->variable_address[ptx_find_variable(f->module->ptx, "ref")];
	*exec_texture(f->exec, ref) = (struct texture){.address = list,
	                                               .dimensions = 1,
	                                               .is_linear_memory = true,
	                                               .width = 16,
	                                               .channels = 1,
	                                               .channel_bits = 16,
	                                               .kind = TEXEL_UNSIGNED};
	CHECK_EQ(fixture_launch(f, "fetch", (struct grid){1, 32, 0}, out, object, 0), EXEC_DONE);
	for (unsigned i = 0; i < 32; i++) {
		const uint32_t *got = (const uint32_t *)device_host(out) + 4 * i;
		/* Row 1 exactly (1.5); between texels along x: 40 + 10 * (x - 0.5), clamped at both ends. */
		float x = (float)i * 0.25f - 1.0f, want = 40 + 10 * (x < 0 ? 0 : x > 3 ? 3 : x), value;
		memcpy(&value, &got[0], 4);
		CHECK(value == want);
		CHECK_EQ(got[1], i < 16 ? 1000 + i : 0);
		CHECK_EQ(got[2], i < 16 ? 1 : 0);
		CHECK_EQ(got[3], 4);
	}
	exec_free_texture(f->exec, object);
	CHECK_EQ(fixture_launch(f, "fetch", (struct grid){1, 32, 0}, out, object, 0), EXEC_ILLEGAL_ADDRESS);
	fixture_free(f);
}

/* Every thread announces itself, works for a while, and reads what its neighbour in the next warp announced: no barrier. */
static const char unguarded[] = PTX_HEAD KERNEL(
    "unguarded") ".shared .align 4 .b8 s[512];\nmov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3; add.s32 %r5, "
                 "%r1, 1; st.shared.u32 [%r4], %r5; xor.b32 %r6, %r3, 128; add.s32 %r7, %r2, %r6; mov.u32 %r8, 0;\n"
                 "WORK:\nld.shared.u32 %r9, [%r4]; add.s32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 100; @%p1 bra WORK;\n"
                 "ld.shared.u32 %r10, [%r7]; st.global.u32 [%rd1], %r10; ret;\n}\n";

TEST(warps_of_a_cta_get_on_together)
{
	uint32_t(*out)[8] = run(unguarded, "unguarded", 64, 32);
	CHECK(out);
	for (unsigned t = 0; out && t < 64; t++)
		CHECK_EQ(out[t][0], (t ^ 32) + 1);
	fixture_free(f);
}

TEST_RUN_ALL(true)
