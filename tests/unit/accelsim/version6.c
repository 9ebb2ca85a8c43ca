/* Lines of tracer version 6: classes of registers, groups of products, bulk copies, replays, values; and their export. */
#include <unistd.h>

#include "lib/accelsim_fixture.h"
#include "trace/mbarrier.h"

static struct steps steps;

static const struct trace_insn *insn_of(const struct trace *t, unsigned step)
{
	return &trace_kernel_at(t, 0)->insns[steps.step[step].insn];
}

static struct trace *import_lines(const char *lines)
{
	static char text[1 << 16];
	unsigned count = 0;
	for (const char *p = lines; *p; p++)
		count += *p == '\n';
	snprintf(
	    text, sizeof text,
	    "%s#BEGIN_TB\nthread block = 0,0,0\ncluster id = 0,0,0\ncluster cta = 1,0,0\ncluster rank = 1\nwarp = 0\n"
	    "insts = %u\n%s#END_TB\n",
	    HEADER("6", "(1,1,1)", "(32,1,1)"), count, lines);
	struct error err = {""};
	struct trace *t = import_text(text, &err);
	if (!t)
		printf("# %s\n", err.text);
	else
		read_steps(t, 0, 0, &steps);
	return t;
}

TEST(registers_have_classes)
{
	struct trace *t = import_lines(
	    "0010 ffffffff 1 P0 ISETP.GE.AND 2 R4 UR5 0 1 0 NoVal\n"
	    "0020 ffffffff 1 UR6 ULDC.64 0 0 0 0 Val 32 0 1 2 3 4 5 6 7 8 9 a b c d e f 0 1 2 3 4 5 "
	    "6 7 8 9 a b c d e f\n"
	    "0030 ffffffff 1 R7 IADD3 3 R1 UR2 UP3 0 -5 NoVal\n"
	    "0040 ffffffff 1 R8 LDG.E.64 2 R2 UR4 4 1 0x7f0000000000 8 0 0 Val 1 0x7 1 8 1 9\n"
	    "0050 ffffffff 1 R9 SEL 3 R1 R2 P6 0 0\n");
	CHECK(t);
	CHECK_EQ(steps.count, 5);
	CHECK_EQ(insn_of(t, 0)->dst, TRACE_REG_NONE);
	CHECK(insn_of(t, 0)->flags & INSN_SETS_PREDICATE);
	CHECK_EQ(insn_of(t, 0)->src_count, 1);
	CHECK_EQ(insn_of(t, 0)->src[0], 4);
	CHECK(insn_of(t, 1)->flags & INSN_WRITES_UNIFORM);
	CHECK_EQ(insn_of(t, 1)->dst, TRACE_REG_NONE);
	CHECK_EQ(insn_of(t, 2)->src_count, 1);
	CHECK(!(insn_of(t, 2)->flags & INSN_USES_PREDICATE));
	/* The width is the mnemonic's. */
	CHECK_EQ(insn_of(t, 3)->width_bytes, 8);
	CHECK_EQ(steps.address[3][31], 0x7f00000000f8);
	CHECK(insn_of(t, 4)->flags & INSN_USES_PREDICATE);
	CHECK_EQ(insn_of(t, 4)->src_count, 2);
	trace_close(t);
}

TEST(groups_of_products_and_copies_are_closed_and_waited_for)
{
	struct trace *t = import_lines("0010 ffffffff 1 R24 HGMMA.64x64x16.F32 1 R24 0 0 0 0 NoVal\n"
	                               "0020 ffffffff 1 R24 HGMMA.64x64x16.F32 1 R24 1 0 0 0 NoVal\n"
	                               "0030 ffffffff 0 WARPGROUP.DEPBAR.LE 0 0 1 0 NoVal\n"
	                               "0040 ffffffff 0 LDGDEPBAR 0 0 0 0 NoVal\n"
	                               "0050 ffffffff 0 DEPBAR.LE 0 0 3 0 NoVal\n"
	                               "0060 ffffffff 0 WARPGROUP.ARRIVE 0 0 0 0 NoVal\n");
	static const uint8_t width[] = {0, 1, 2, 0, 4, 0};
	CHECK(t);
	CHECK_EQ(steps.count, 6);
	for (unsigned i = 0; i < 6; i++) {
		CHECK_EQ(insn_of(t, i)->width_bytes, width[i]);
		CHECK_EQ(insn_of(t, i)->flags & INSN_ASYNC_COPY, i < 5 ? INSN_ASYNC_COPY : 0);
		CHECK_EQ(insn_of(t, i)->dst, TRACE_REG_NONE);
	}
	trace_close(t);
}

#define BULK "0010 00000001 0 UBLKCP.S.G 0 4 0x1000408 0 1024 0 3 2 0x7f0000000000 0x7f0000010000 0 0 NoVal\n"
#define TILE                                                                                                 \
	"0020 00000001 0 UTMALDG.2D 1 UR8 4 0x410 1 0x3 96 32 4 0x7f0000001000 4 256 256 -128 0 0 NoVal\n"

TEST(bulk_copies_have_their_pieces)
{
	struct trace *t = import_lines(
	    BULK TILE "0030 00000001 0 UTMASTG.2D 1 UR8 4 0x0 0 32 0 3 1 0x7f0000002000 0 0 NoVal\n"
	              "0040 00000001 0 UTMAPF.L2 1 UR8 4 0x0 0 32 0 3 1 0x7f0000002000 0 0 NoVal\n"
	              "0050 00000001 0 UBLKCP.S.S 0 4 0x400 0 32 0 3 1 0x7f0000002000 0 0 NoVal\n"
	              "0060 00000000 0 UBLKCP.S.G 0 4 0x400 0 32 0 3 1 0x7f0000002000 0 0 NoVal\n");
	CHECK(t);
	CHECK_EQ(steps.count, 7);
	CHECK_EQ(trace_kernel_at(t, 0)->warp_insns, 7);
	const uint32_t copies = INSN_MEMORY | INSN_ASYNC_COPY | INSN_BULK;
	for (unsigned i = 0; i < 4; i++)
		CHECK_EQ(insn_of(t, i)->flags & copies, copies);
	CHECK_EQ(insn_of(t, 0)->op, OP_LOAD);
	CHECK_EQ(insn_of(t, 3)->op, OP_STORE);
	CHECK_EQ(insn_of(t, 4)->flags & copies, 0);
	CHECK_EQ(insn_of(t, 5)->flags & copies, 0);
	CHECK_EQ(steps.step[6].mask, 0);
	/* 512 bytes at each address, reported to the mbarrier at 0x408. */
	static const unsigned lanes[] = {32, 32, 4, 2};
	static const uint64_t first[] = {0x7f0000000000, 0x7f0000010000, 0x7f0000001000, 0x7f0000002000},
	                      object[] = {0x408 / 8 + 1, 0x408 / 8 + 1, 0x410 / 8 + 1, 0};
	for (unsigned i = 0; i < 4; i++) {
		CHECK_EQ(steps.lanes[i], lanes[i]);
		CHECK_EQ(steps.address[i][0], address_with_object(first[i], object[i]));
	}
	CHECK_EQ(steps.address[0][31] - steps.address[0][0], 31 * 16);
	CHECK_EQ(steps.address[2][3] - steps.address[2][0], 256 + 256 - 128);
	trace_close(t);
}

TEST(a_replay_is_kept_once)
{
	struct trace *t =
	    import_lines("0010 ffffffff 0 REPLAY_START 0 0 0 0 NoVal\n"
	                 "0010 ffffffff 1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R0 R17 4 1 0x408 0 0 0 NoVal\n"
	                 "0020 ffffffff 0 BRA 1 P0 0 0 NoVal\n"
	                 "0020 ffffffff 0 REPLAY_END 0 0 0 0 NoVal\n");
	CHECK(t);
	CHECK_EQ(steps.count, 2);
	CHECK_EQ(trace_kernel_at(t, 0)->insn_count, 2);
	trace_close(t);
}

static bool fails(const char *line, const char *words)
{
	char text[1024];
	struct error err = {""};
	snprintf(text, sizeof text, "%s#BEGIN_TB\nwarp = 0\ninsts = 1\n%s\n#END_TB\n",
	         HEADER("6", "(1,1,1)", "(32,1,1)"), line);
	struct trace *t = import_text(text, &err);
	trace_close(t);
	if (t || !strstr(err.text, words))
		printf("# got: %s\n", err.text);
	return !t && strstr(err.text, words);
}

TEST(what_is_wrong_is_named)
{
	CHECK(fails("0010 1 1 X0 MOV 0 0 0 0 NoVal", "expected a register R, UR, P or UP"));
	CHECK(fails("0010 1 9 R0 MOV 0 0 0 0 NoVal", "number of destination registers, 0 to 8"));
	CHECK(fails("0010 1 0 HGMMA.64x8x16.F32 0 2 0 0 0 NoVal", "closes its group"));
	CHECK(fails("0010 1 0 MOV 0 0 0 0 Nothing", "expected 'NoVal', or 'Val' and values"));
	CHECK(fails("0010 1 0 MOV 0 0 0 0 Val 2 1 1", "expected 1 or 32 values"));
	CHECK(fails("0010 1 0 MOV 0 0 0 0 Val 1", "expected a value"));
	CHECK(fails("0010 1 0 UBLKCP.S.G 0 4 0x400 2 16 0 3 0 0 0 NoVal", "multicast"));
	CHECK(fails("0010 1 0 UBLKCP.S.G 0 4 0x400 0 99999999999 0 3 0 0 0 NoVal", "bytes of a bulk copy"));
	CHECK(fails("0010 1 0 UBLKCP.S.G 0 4 0x400 0 16 0 2 0 0 0 NoVal", "mode of bulk copies"));
	CHECK(fails("0010 1 0 UBLKCP.S.G 0 4 0x400 0 16 0 3 4 0x10 0 0 NoVal", "expected an address below"));
	CHECK(fails("0010 1 0 UBLKCP.S.G 0 4 0x400 0 16 0 3 1 0xffffffffffffff 0 0 NoVal",
	            "addresses of a bulk copy"));
	CHECK(fails("0010 1 0 UBLKCP.S.G 0 4 0x400 0 16 0 3 70000 0x10 0 0 NoVal", "number of addresses"));
}

TEST(an_export_of_version_6_is_the_same_trace)
{
	static const char *const row[] = {
	    BULK "0030 ffffffff 1 R8 LDG.E.64 1 R2 4 1 0x7f0000000000 8 0 0 NoVal\n",
	    "0010 ffffffff 1 R24 HGMMA.64x64x16.F32 1 R24 1 0 0 0 NoVal\n"
	    "0030 ffffffff 0 WARPGROUP.DEPBAR.LE 0 0 1 0 NoVal\n0040 ffffffff 0 LDGDEPBAR 0 0 0 0 NoVal\n"
	    "0050 ffffffff 0 DEPBAR.LE 0 0 3 0 NoVal\n"};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct error err = {""};
		struct trace *t = import_lines(row[i]);
		CHECK(t);
		char name[32];
		snprintf(name, sizeof name, "new%zu", i);
		CHECK(accelsim_export(t, scratch_path(name), ACCELSIM_EXPORT_NEW, &err));
		CHECK(import_path(scratch_path(name), scratch_path("again.sluice"), &err));
		struct trace *again = trace_open(scratch_path("again.sluice"), &err);
		CHECK(again);
		CHECK_EQ(same_traces(t, again), (int64_t)trace_kernel_at(t, 0)->warp_insns);
		trace_close(t);
		trace_close(again);
	}
}

TEST_RUN_ALL(true)
