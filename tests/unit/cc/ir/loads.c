/* Loads in optimised intermediate code: which become narrower, and which stay. */
#include "base/memory.h"
#include "fixture.h"

/* ---- one element of a vector */

TEST(a_vector_of_which_one_element_is_used_is_loaded_as_that)
{
	CHECK(becomes("  %2 = load <4 x float>, ptr %0, align 16, !dbg !1, !tbaa !2\n"
	              "  %3 = extractelement <4 x float> %2, i64 3, !dbg !4\n",
	              "  %sluice.lane.1.12 = getelementptr inbounds i8, ptr %0, i64 12\n"
	              "  %2 = load float, ptr %sluice.lane.1.12, align 4, !dbg !1, !tbaa !2\n"
	              "  %3 = bitcast float %2 to float, !dbg !4\n"));
	CHECK(becomes(
	    "  %x.y = load <2 x double>, ptr addrspace(3) %0, align 16\n"
	    "  %2 = extractelement <2 x double> %x.y, i64 0\n  %3 = extractelement <2 x double> %x.y, i64 0\n",
	    "  %x.y = load double, ptr addrspace(3) %0, align 16\n  %2 = bitcast double %x.y to double\n"
	    "  %3 = bitcast double %x.y to double\n"));
}

#define VECTOR "  %2 = load <4 x float>, ptr %0, align 16, !dbg !1\n"
#define ELEMENT(name, lane) "  %" name " = extractelement <4 x float> %2, i64 " lane "\n"

TEST(half_of_a_vector_is_loaded_as_that_and_words_of_both_halves_one_by_one)
{
	CHECK(becomes(
	    VECTOR ELEMENT("3", "0") ELEMENT("4", "1"),
	    "  %2 = load <2 x float>, ptr %0, align 16, !dbg !1\n"
	    "  %3 = extractelement <2 x float> %2, i64 0\n  %4 = extractelement <2 x float> %2, i64 1\n"));
	CHECK(becomes(
	    VECTOR ELEMENT("3", "3") ELEMENT("4", "2"),
	    "  %sluice.lane.1.8 = getelementptr inbounds i8, ptr %0, i64 8\n"
	    "  %2 = load <2 x float>, ptr %sluice.lane.1.8, align 8, !dbg !1\n"
	    "  %3 = extractelement <2 x float> %2, i64 1\n  %4 = extractelement <2 x float> %2, i64 0\n"));
	CHECK(becomes(VECTOR ELEMENT("3", "1") ELEMENT("4", "2") ELEMENT("5", "1"),
	              "  %sluice.lane.1.8 = getelementptr inbounds i8, ptr %0, i64 8\n"
	              "  %sluice.other.1 = load float, ptr %sluice.lane.1.8, align 8, !dbg !1\n"
	              "  %sluice.lane.1.4 = getelementptr inbounds i8, ptr %0, i64 4\n"
	              "  %2 = load float, ptr %sluice.lane.1.4, align 4, !dbg !1\n"
	              "  %3 = bitcast float %2 to float\n  %4 = bitcast float %sluice.other.1 to float\n"
	              "  %5 = bitcast float %2 to float\n"));
	/* What is said of the order of its uses is no use. */
	CHECK(becomes(
	    VECTOR ELEMENT("3", "0") ELEMENT("4", "1") "  uselistorder <4 x float> %2, { 1, 0 }\n",
	    "  %2 = load <2 x float>, ptr %0, align 16, !dbg !1\n"
	    "  %3 = extractelement <2 x float> %2, i64 0\n  %4 = extractelement <2 x float> %2, i64 1\n"));
	CHECK(stays(VECTOR ELEMENT("3", "0") ELEMENT("4", "1") ELEMENT("5", "3")));
	CHECK(stays("  %2 = load <4 x i16>, ptr %0, align 8\n  %3 = extractelement <4 x i16> %2, i64 0\n"
	            "  %4 = extractelement <4 x i16> %2, i64 3\n"));
}

TEST(a_vector_that_is_used_otherwise_stays)
{
	CHECK(stays("  %2 = load <2 x float>, ptr %0, align 8\n  %3 = extractelement <2 x float> %2, i64 0\n"
	            "  %4 = extractelement <2 x float> %2, i64 1\n"));
	CHECK(stays("  %2 = load <2 x float>, ptr %0, align 8\n  %3 = extractelement <2 x float> %2, i64 0\n"
	            "  store <2 x float> %2, ptr %1, align 8\n"));
	CHECK(stays(
	    "  %2 = load volatile <2 x float>, ptr %0, align 8\n  %3 = extractelement <2 x float> %2, i64 0\n"));
	CHECK(stays(
	    "  %2 = load <2 x float>, ptr %0, align 8\n  %3 = extractelement <2 x float> %2, i64 %9\n"));
	CHECK(stays("  %2 = load <2 x ptr>, ptr %0, align 16\n  %3 = extractelement <2 x ptr> %2, i64 0\n"));
	CHECK(stays("  %2 = fadd <2 x float> %8, %9\n  %3 = extractelement <2 x float> %2, i64 0\n"));
}

/* ---- orders of uses */

#define NARROWED "  %2 = load <2 x float>, ptr %0, align 8\n  %3 = extractelement <2 x float> %2, i64 0\n"

TEST(orders_of_uses_go_where_they_no_longer_fit)
{
	CHECK(becomes(NARROWED "  uselistorder ptr %0, { 1, 0 }\n",
	              "  %2 = load float, ptr %0, align 8\n  %3 = bitcast float %2 to float\n"));
	char *rewritten =
	    ir_rewrite_loads("define void @a(ptr %0) {\n  uselistorder ptr %0, { 1, 0 }\n"
	                     "  uselistorder i32 1, { 1, 0 }\n}\n"
	                     "define void @b(ptr %0) {\n" NARROWED "}\nuselistorder ptr @g, { 1, 0 }\n");
	CHECK(rewritten && strstr(rewritten, "{\n  uselistorder ptr %0, { 1, 0 }\n}\n"));
	CHECK(!strstr(rewritten, "i32 1") && !strstr(rewritten, "@g"));
	free(rewritten);
}

TEST(llvm_does_not_read_the_order_of_constants)
{
	CHECK(becomes(
	    "  uselistorder ptr %0, { 1, 0 }\n  uselistorder ptr asm \"mov.u32 $0, %laneid;\", \"=r\", { 1, 0 }\n"
	    "  uselistorder i32 1, { 1, 0 }\n  uselistorder ptr @g, { 1, 0 }\n",
	    "  uselistorder ptr %0, { 1, 0 }\n  uselistorder ptr @g, { 1, 0 }\n"));
}

/* Nothing behind the end is read (AddressSanitizer). */
TEST(a_text_that_ends_early_is_taken_as_it_is)
{
	static const char text[] = "uselistorder ptr asm \"\", { 1, 0 }\ndefine void @k(ptr %\"a b\") {\n"
	                           "  %2 = load <4 x float>, ptr addrspace(1) %0, align 16, !dbg !1\n"
	                           "  %3 = extractelement <4 x float> %2, i64 3\n}\n";
	for (size_t length = 0; length < sizeof text; length++) {
		char *cut = memory_zeroed(length + 1, 1);
		memcpy(cut, text, length);
		char *exact = memory_text(cut);
		free(ir_rewrite_loads(exact));
		free(exact);
		free(cut);
	}
}

TEST_MAIN(TEST_ENTRY(a_vector_of_which_one_element_is_used_is_loaded_as_that)
              TEST_ENTRY(half_of_a_vector_is_loaded_as_that_and_words_of_both_halves_one_by_one)
                  TEST_ENTRY(a_vector_that_is_used_otherwise_stays)
                      TEST_ENTRY(orders_of_uses_go_where_they_no_longer_fit)
                          TEST_ENTRY(llvm_does_not_read_the_order_of_constants)
                              TEST_ENTRY(a_text_that_ends_early_is_taken_as_it_is))
