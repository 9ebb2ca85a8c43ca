/* Copies of structures in clang's intermediate code: into which loads and stores, and which stay. */
#include "cc/ir/copies.h"

#include <stdbool.h>

#include "base/memory.h"
#include "test.h"

/* What a module of a kernel with one copy ends with: the fields of the structures below. */
static const char metadata[] =
    "!1 = !{i64 0, i64 4, !10, i64 4, i64 4, !10, i64 8, i64 4, !10, i64 12, i64 4, !10}\n"
    "!2 = !{i64 0, i64 8, !14, i64 8, i64 4, !12}\n"
    "!3 = !{i64 0, i64 4, !10, i64 4, i64 4, !12}\n"
    "!4 = !{i64 0, i64 1, !16, i64 1, i64 1, !16, i64 2, i64 1, !16, i64 3, i64 1, !16}\n"
    "!5 = !{i64 0, i64 32, !16}\n"
    "!6 = !{i64 0, i64 4, !12, i64 2, i64 4, !12}\n"
    "!7 = !{i64 0, i64 8, !18, i64 8, i64 8, !18}\n"
    "!8 = !{i64 0, i64 1, !16, i64 4, i64 4, !12}\n"
    "!9 = !{i64 0, i64 2, !20, i64 2, i64 2, !20, i64 4, i64 2, !20, i64 6, i64 2, !20}\n"
    "!10 = !{!11, !11, i64 0}\n"
    "!11 = !{!\"float\", !17, i64 0}\n"
    "!12 = !{!13, !13, i64 0}\n"
    "!13 = !{!\"int\", !17, i64 0}\n"
    "!14 = !{!15, !15, i64 0}\n"
    "!15 = !{!\"any pointer\", !17, i64 0}\n"
    "!16 = !{!17, !17, i64 0}\n"
    "!17 = !{!\"omnipotent char\", !22, i64 0}\n"
    "!18 = !{!19, !19, i64 0}\n"
    "!19 = !{!\"double\", !17, i64 0}\n"
    "!20 = !{!21, !21, i64 0}\n"
    "!21 = !{!\"short\", !17, i64 0}\n"
    "!22 = !{!\"Simple C++ TBAA\"}\n"
    "!23 = !{i64 0, i64 8, !16}\n"
    "!24 = !{i64 0, i64 2, !20, i64 2, i64 1, !16, i64 3, i64 1, !16}\n";

/* The module with `line` in a function, rewritten; NULL: it stays as it was. */
static char *rewrite_in(const char *types, const char *line)
{
	char *module, *rewritten;
	size_t bytes;
	FILE *out = memory_stream_open(&module, &bytes);
	fprintf(out,
	        "%sdefine void @k(ptr noundef byval(%%struct.P) align 8 %%0, ptr %%1) {\n"
	        "  %%2 = alloca %%struct.D, align 16\n%s\n  ret void\n}\n%s",
	        types, line, metadata);
	memory_stream_close(out);
	rewritten = ir_rewrite_copies(module);
	free(module);
	return rewritten;
}

/* Does the line become these? */
static bool becomes_in(const char *types, const char *line, const char *want)
{
	char *rewritten = rewrite_in(types, line);
	bool same = rewritten && strstr(rewritten, want) && !strstr(rewritten, "memcpy");
	if (!same)
		printf("# got %s\n", rewritten ? rewritten : "nothing");
	free(rewritten);
	return same;
}

static bool becomes(const char *line, const char *want)
{
	return becomes_in("", line, want);
}

static bool stays(const char *line)
{
	char *rewritten = rewrite_in("", line);
	bool same = !rewritten;
	free(rewritten);
	return same;
}

#define COPY(to, from, size, end)                                                                            \
	"  call void @llvm.memcpy.p0.p0.i64(ptr align " to ", ptr align " from ", i64 " size ", i1 false)" end

TEST(four_aligned_floats_are_one_vector)
{
	CHECK(becomes(COPY("16 %8", "16 %9", "16", ", !dbg !30, !tbaa.struct !1"),
	              "  %sluice.1 = load <4 x float>, ptr %9, align 16, !dbg !30\n"
	              "  store <4 x float> %sluice.1, ptr %8, align 16, !dbg !30\n  ret void\n"));
}

TEST(pairs_of_floats_and_doubles_are_vectors_where_they_are_aligned)
{
	CHECK(becomes(COPY("8 %8", "16 %9", "16", ", !tbaa.struct !1"),
	              "  %sluice.1 = load <2 x float>, ptr %9, align 16\n"
	              "  %sluice.2 = getelementptr inbounds i8, ptr %9, i64 8\n"
	              "  %sluice.3 = load <2 x float>, ptr %sluice.2, align 8\n"
	              "  store <2 x float> %sluice.1, ptr %8, align 8\n"
	              "  %sluice.4 = getelementptr inbounds i8, ptr %8, i64 8\n"
	              "  store <2 x float> %sluice.3, ptr %sluice.4, align 8\n"));
	CHECK(becomes(COPY("16 %8", "16 %9", "16", ", !tbaa.struct !7"),
	              "load <2 x double>, ptr %9, align 16"));
}

TEST(fields_that_are_not_aligned_for_more_are_copied_one_by_one)
{
	CHECK(becomes(COPY("4 %8", "4 %9", "16", ", !tbaa.struct !1"),
	              "  %sluice.1 = load float, ptr %9, align 4\n"
	              "  %sluice.2 = getelementptr inbounds i8, ptr %9, i64 4\n"
	              "  %sluice.3 = load float, ptr %sluice.2, align 4\n"
	              "  %sluice.4 = getelementptr inbounds i8, ptr %9, i64 8\n"
	              "  %sluice.5 = load float, ptr %sluice.4, align 4\n"
	              "  %sluice.6 = getelementptr inbounds i8, ptr %9, i64 12\n"
	              "  %sluice.7 = load float, ptr %sluice.6, align 4\n"
	              "  store float %sluice.1, ptr %8, align 4\n"));
}

TEST(fields_of_two_types_in_one_vector_are_numbers)
{
	CHECK(becomes(
	    COPY("8 %8", "8 %9", "8", ", !tbaa.struct !3"),
	    "  %sluice.1 = load <2 x i32>, ptr %9, align 8\n  store <2 x i32> %sluice.1, ptr %8, align 8\n"));
}

TEST(pointers_stay_pointers)
{
	CHECK(becomes(COPY("8 %8", "8 %9", "16", ", !tbaa.struct !2"),
	              "  %sluice.1 = load ptr, ptr %9, align 8\n"
	              "  %sluice.2 = getelementptr inbounds i8, ptr %9, i64 8\n"
	              "  %sluice.3 = load i32, ptr %sluice.2, align 8\n"
	              "  store ptr %sluice.1, ptr %8, align 8\n"));
}

TEST(bytes_and_halves_are_vectors_too)
{
	CHECK(becomes(COPY("4 %8", "4 %9", "4", ", !tbaa.struct !4"), "load <4 x i8>, ptr %9, align 4"));
	CHECK(becomes(COPY("8 %8", "8 %9", "8", ", !tbaa.struct !9"), "load <4 x i16>, ptr %9, align 8"));
	CHECK(becomes(COPY("4 %8", "4 %9", "8", ", !tbaa.struct !9"), "load <2 x i16>, ptr %9, align 4"));
	CHECK(becomes(COPY("2 %8", "2 %9", "8", ", !tbaa.struct !9"), "load i16, ptr %sluice.2, align 2"));
	CHECK(becomes(COPY("1 %8", "1 %9", "4", ", !tbaa.struct !4"), "load i8, ptr %sluice.2, align 1"));
}

TEST(a_half_and_two_bytes_that_fill_a_word_are_one)
{
	CHECK(becomes(COPY("4 %8", "4 %9", "4", ", !tbaa.struct !24"),
	              "  %sluice.1 = load i32, ptr %9, align 4\n  store"));
}

TEST(padding_is_not_copied)
{
	CHECK(becomes(COPY("8 %8", "8 %9", "8", ", !tbaa.struct !8"),
	              "  %sluice.1 = load i8, ptr %9, align 8\n"
	              "  %sluice.2 = getelementptr inbounds i8, ptr %9, i64 4\n"
	              "  %sluice.3 = load i32, ptr %sluice.2, align 4\n  store"));
}

TEST(arrays_are_words_or_what_their_variable_says)
{
	static const char line[] = COPY("16 %2", "16 %9", "32", ", !tbaa.struct !5");
	CHECK(becomes(line, "load <4 x i32>, ptr %sluice.2, align 16"));
	CHECK(becomes_in("%struct.D = type { [4 x double] }\n", line, "load <2 x i64>, ptr %9, align 16"));
	CHECK(becomes(COPY("8 %2", "8 %9", "8", ", !tbaa.struct !23"), "load i64, ptr %9, align 8"));
}

TEST(arrays_and_unions_stay_where_they_may_hold_pointers)
{
	static const char line[] = COPY("16 %8", "16 %9", "32", ", !tbaa.struct !5");
	CHECK(!rewrite_in("%struct.A = type { [4 x ptr] }\n", line));
	CHECK(!rewrite_in("%union.A = type { ptr }\n", line));
	CHECK(becomes_in("%union.A = type { double }\n", line, "load <4 x i32>"));
	CHECK(becomes_in("%struct.A = type { ptr }\n", line, "load <4 x i32>"));
}

TEST(without_fields_the_alignment_decides)
{
	CHECK(becomes(COPY("8 %8", "8 %9", "8", ""), "  %sluice.1 = load i64, ptr %9, align 8\n"));
	CHECK(becomes(COPY("4 %8", "16 %9", "7", ""),
	              "  %sluice.1 = load i32, ptr %9, align 16\n"
	              "  %sluice.2 = getelementptr inbounds i8, ptr %9, i64 4\n"
	              "  %sluice.3 = load i16, ptr %sluice.2, align 4\n"
	              "  %sluice.4 = getelementptr inbounds i8, ptr %9, i64 6\n"
	              "  %sluice.5 = load i8, ptr %sluice.4, align 2\n  store"));
	CHECK(stays(COPY("2 %8", "2 %9", "4", "")));
}

TEST(fields_that_overlap_count_as_none)
{
	CHECK(becomes(COPY("4 %8", "4 %9", "8", ", !tbaa.struct !6"),
	              "  %sluice.1 = load i32, ptr %9, align 4\n"));
	CHECK(stays(COPY("2 %8", "2 %9", "6", ", !tbaa.struct !6")));
	CHECK(becomes(COPY("4 %8", "4 %9", "8", ", !tbaa.struct !99"),
	              "  %sluice.1 = load i32, ptr %9, align 4\n"));
}

TEST(operands_may_have_attributes_spaces_and_brackets)
{
	CHECK(becomes(
	    "  tail call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) noundef nonnull align 16 "
	    "dereferenceable(16) getelementptr inbounds ([4 x %struct.F], ptr addrspace(3) @\"a, b)\", i64 0, "
	    "i64 2), ptr align 16 addrspacecast (ptr addrspace(1) @g to ptr), i64 16, i1 false) #4, "
	    "!tbaa.struct !1",
	    "  %sluice.1 = load <4 x float>, ptr addrspacecast (ptr addrspace(1) @g to ptr), align 16\n"
	    "  store <4 x float> %sluice.1, ptr addrspace(3) getelementptr inbounds ([4 x %struct.F], ptr "
	    "addrspace(3) @\"a, b)\", i64 0, i64 2), align 16\n"));
}

TEST(copies_of_arguments_and_constants_stay)
{
	CHECK(stays(COPY("8 %8", "8 %0", "16", ", !tbaa.struct !1")));
	CHECK(becomes(COPY("8 %8", "8 %1", "16", ", !tbaa.struct !1"), "load <2 x float>, ptr %1, align 8"));
	CHECK(stays(COPY("16 %8", "16 @__const._Z1kv.v", "16", "")));
	CHECK(stays(COPY("16 %8", "16 addrspacecast (ptr addrspace(4) @constinit to ptr)", "16", "")));
}

TEST(what_is_not_a_small_plain_copy_stays)
{
	static const char *const lines[] = {
	    "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %8, ptr align 16 %9, i64 16, i1 true)",
	    "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %8, ptr align 16 %9, i64 %4, i1 false)",
	    "  call void @llvm.memcpy.p0.p0.i64(ptr %8, ptr align 16 %9, i64 16, i1 false)",
	    "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %8, ptr align 3 %9, i64 16, i1 false)",
	    "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %8, ptr align 16 null, i64 16, i1 false)",
	    "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %8, ptr align 16 %9, i64 0, i1 false)",
	    "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %8, ptr align 16 %9, i64 129, i1 false)",
	    "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %8, ptr align 16 %9, i64 99999999999, i1 false)",
	    "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %8, ptr align 16 %9, i64 16, i1 false), !noalias !3",
	    "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %8, ptr swiftself align 16 %9, i64 16, i1 false)",
	    "  call void @llvm.memcpy.inline.p0.p0.i64(ptr align 16 %8, ptr align 16 %9, i64 16, i1 false)",
	    "  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 16 %8, i8* align 16 %9, i64 16, i1 false)",
	    "  call void @llvm.memcpy.p0.p0.i64(i8* align 16 %8, i8* align 16 %9, i64 16, i1 false)",
	    "  call void @llvm.memmove.p0.p0.i64(ptr align 16 %8, ptr align 16 %9, i64 16, i1 false)",
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		if (!stays(lines[i]))
			printf("# %s\n", lines[i]);
		CHECK(stays(lines[i]));
	}
	CHECK(
	    becomes(COPY("16 %8", "16 %9", "128", ""), "load <4 x i32>, ptr %sluice.14, align 16\n  store"));
}

TEST(types_say_nothing_about_addresses)
{
	CHECK(becomes("  %7 = load float, ptr %3, align 4, !dbg !30, !tbaa !10\n",
	              "  %7 = load float, ptr %3, align 4, !dbg !30\n"));
	CHECK(becomes("  store i32 %7, ptr %3, align 4, !tbaa !12, !dbg !30\n",
	              "  store i32 %7, ptr %3, align 4, !dbg !30\n"));
	CHECK(stays("  %7 = load float, ptr %3, align 4, !dbg !30\n"));
}

TEST(packed_fields_stay)
{
	CHECK(stays(COPY("1 %8", "1 %9", "8", ", !tbaa.struct !3")));
}

/* Cut off anywhere, the text stays or is rewritten, and nothing behind its end is read (AddressSanitizer). */
TEST(a_text_that_ends_early_is_taken_as_it_is)
{
	static const char line[] =
	    "define void @k(ptr byval(%struct.P) %0) {\n  %2 = alloca %struct.D, align 8\n" COPY(
	        "8 %2", "8 %9", "16",
	        " #1, !dbg !1, !tbaa.struct !1") "\n!1 = !{i64 0, i64 16, !2}\n!2 = !{!3, !3, i64 0}\n"
	                                         "!3 = !{!\"float\"}\n";
	for (size_t length = 0; length < sizeof line; length++) {
		char *cut = memory_zeroed(length + 1, 1);
		memcpy(cut, line, length);
		char *exact = memory_text(cut);
		free(ir_rewrite_copies(exact));
		free(exact);
		free(cut);
	}
}

TEST_MAIN(
    TEST_ENTRY(four_aligned_floats_are_one_vector)
        TEST_ENTRY(pairs_of_floats_and_doubles_are_vectors_where_they_are_aligned)
            TEST_ENTRY(fields_that_are_not_aligned_for_more_are_copied_one_by_one)
                TEST_ENTRY(fields_of_two_types_in_one_vector_are_numbers) TEST_ENTRY(pointers_stay_pointers)
                    TEST_ENTRY(bytes_and_halves_are_vectors_too) TEST_ENTRY(
                        a_half_and_two_bytes_that_fill_a_word_are_one) TEST_ENTRY(padding_is_not_copied)
                        TEST_ENTRY(arrays_are_words_or_what_their_variable_says)
                            TEST_ENTRY(arrays_and_unions_stay_where_they_may_hold_pointers)
                                TEST_ENTRY(without_fields_the_alignment_decides)
                                    TEST_ENTRY(fields_that_overlap_count_as_none)
                                        TEST_ENTRY(operands_may_have_attributes_spaces_and_brackets)
                                            TEST_ENTRY(copies_of_arguments_and_constants_stay)
                                                TEST_ENTRY(what_is_not_a_small_plain_copy_stays)
                                                    TEST_ENTRY(packed_fields_stay) TEST_ENTRY(
                                                        types_say_nothing_about_addresses)
                                                        TEST_ENTRY(a_text_that_ends_early_is_taken_as_it_is))
