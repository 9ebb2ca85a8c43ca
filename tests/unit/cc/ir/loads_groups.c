/* Elements of a group that are loaded one by one: which are joined, and which stay. */

#include "base/memory.h"
#include "fixture.h"

#define X "  %3 = load float, ptr %0, align 16, !dbg !1, !tbaa !2\n"
#define AT(name, offset) "  %" name ".p = getelementptr inbounds i8, ptr %0, i64 " offset "\n"
#define LOAD(name) "  %" name " = load float, ptr %" name ".p, align 4\n"

TEST(a_group_with_gaps_is_loaded_at_once)
{
	CHECK(stays(X AT("w", "12") LOAD("w"))); /* two words of 16 bytes are not worth all of them */
	CHECK(becomes(
	    X AT("w", "12") LOAD("w") AT("y", "4") LOAD("y"),
	    "  %sluice.group.1 = load <4 x float>, ptr %0, align 16, !dbg !1\n"
	    "  %3 = extractelement <4 x float> %sluice.group.1, i64 0, !dbg !1\n" AT("w", "12") "  %w = extractelement <4 x float> %sluice.group.1, i64 3\n" AT(
	        "y", "4") "  %y = extractelement <4 x float> %sluice.group.1, i64 1\n"));
	CHECK(becomes(
	    AT("z", "8") LOAD("z") AT("y", "4") LOAD("y") X,
	    AT("z", "8") "  %sluice.group.5 = load <4 x float>, ptr %0, align 16\n"
	                 "  %z = extractelement <4 x float> %sluice.group.5, i64 2\n" AT(
	                     "y",
	                     "4") "  %y = extractelement <4 x float> %sluice.group.5, i64 1\n"
	                          "  %3 = extractelement <4 x float> %sluice.group.5, i64 0, !dbg !1\n"));
}

TEST(a_group_may_begin_behind_its_base)
{
	CHECK(becomes(
	    "  %3 = getelementptr inbounds i8, ptr %0, i64 16\n  %4 = load i16, ptr %3, align 8\n"
	    "  %5 = getelementptr inbounds nuw i8, ptr %0, i64 20\n  %6 = load i16, ptr %5, align 4\n",
	    "  %3 = getelementptr inbounds i8, ptr %0, i64 16\n"
	    "  %sluice.first.2 = getelementptr inbounds i8, ptr %0, i64 16\n"
	    "  %sluice.group.2 = load <4 x i16>, ptr %sluice.first.2, align 8\n"
	    "  %4 = extractelement <4 x i16> %sluice.group.2, i64 0\n"
	    "  %5 = getelementptr inbounds nuw i8, ptr %0, i64 20\n"
	    "  %6 = extractelement <4 x i16> %sluice.group.2, i64 2\n"));
}

TEST(neighbours_are_left_to_llvm)
{
	CHECK(stays("  %3 = load i16, ptr %0, align 8\n  %5 = getelementptr inbounds i8, ptr %0, i64 2\n"
	            "  %6 = load i16, ptr %5, align 2\n"));
	CHECK(stays(X));
	CHECK(stays(X AT("y", "4") LOAD("y")));
	CHECK(stays(X AT("y", "4") LOAD("y") AT("z", "8") LOAD("z") AT("w", "12") LOAD("w")));
}

TEST(without_its_first_or_its_alignment_there_is_no_group)
{
	CHECK(stays(AT("y", "4") LOAD("y") AT("w", "12") LOAD("w")));
	CHECK(stays("  %3 = load float, ptr %0, align 8\n" AT("z", "8") LOAD("z")));
	CHECK(stays(X AT("far", "16") LOAD("far")));
	CHECK(stays(X AT("odd", "7") LOAD("odd")));
	CHECK(stays(X "  %z.p = getelementptr inbounds i8, ptr %1, i64 8\n" LOAD("z")));
	CHECK(stays(X AT("z", "8") "  %z = load i32, ptr %z.p, align 8\n"));
}

TEST(nothing_moves_across_a_write_or_out_of_a_block)
{
	static const char *const between[] = {"  store float 0.0, ptr %1, align 4\n",
	                                      "  call void @llvm.nvvm.barrier0()\n",
	                                      "  %b = tail call i32 @f()\n",
	                                      "  fence seq_cst\n",
	                                      "  %b = atomicrmw add ptr %1, i32 1 seq_cst, align 4\n",
	                                      "  %b = load atomic i32, ptr %1 acquire, align 4\n",
	                                      "  %b = load volatile i32, ptr %1, align 4\n",
	                                      "\n7:\n"};
	for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
		char body[1024];
		snprintf(body, sizeof body, "%s%s%s", X, between[i],
		         AT("y", "4") LOAD("y") AT("w", "12") LOAD("w"));
		CHECK(stays(body));
	}
	char *rewritten = rewrite(X "  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" AT("y", "4")
	                              LOAD("y") AT("w", "12") LOAD("w"));
	CHECK(rewritten);
	free(rewritten);
}

TEST(variables_and_special_loads_stay)
{
	CHECK(stays("  %v = alloca [3 x float], align 16\n  %3 = load float, ptr %v, align 16\n"
	            "  %z.p = getelementptr inbounds i8, ptr %v, i64 8\n" LOAD("z")));
	CHECK(stays("  %3 = load float, ptr @g, align 16\n" AT("z", "8") LOAD("z")));
	CHECK(stays("  %3 = load float, ptr %0, align 16, !invariant.load !1\n" AT("z", "8") LOAD("z")));
	CHECK(stays("  %3 = load double, ptr %0, align 32\n" AT(
	    "z", "16") "  %z = load double, ptr %z.p, align 16\n"));
}

/* Nothing behind the end is read (AddressSanitizer). */
TEST(a_text_that_ends_early_is_taken_as_it_is)
{
	static const char text[] = "define void @k(ptr %\"a b\") {\n" X AT("w", "12") LOAD("w") "}\n";
	for (size_t length = 0; length < sizeof text; length++) {
		char *cut = memory_zeroed(length + 1, 1);
		memcpy(cut, text, length);
		char *exact = memory_text(cut);
		free(ir_rewrite_loads(exact));
		free(exact);
		free(cut);
	}
}

TEST_MAIN(TEST_ENTRY(a_group_with_gaps_is_loaded_at_once) TEST_ENTRY(a_group_may_begin_behind_its_base)
              TEST_ENTRY(neighbours_are_left_to_llvm)
                  TEST_ENTRY(without_its_first_or_its_alignment_there_is_no_group)
                      TEST_ENTRY(nothing_moves_across_a_write_or_out_of_a_block)
                          TEST_ENTRY(variables_and_special_loads_stay)
                              TEST_ENTRY(a_text_that_ends_early_is_taken_as_it_is))
