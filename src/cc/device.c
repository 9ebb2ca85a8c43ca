/*
 * Device code, from the source to PTX, in three commands: clang's front end,
 * its optimizer, its code generator. What lies between them is text that is
 * rewritten so that memory is accessed as nvcc's code would: copies of
 * structures before they are optimised (cc/ir/copies.h), vectors
 * of which one element is used after that (cc/ir/loads.h). Where
 * there is nothing to rewrite, the result is what one command would give.
 */
#include <stdlib.h>
#include <string.h>

#include "cc/ir/copies.h"
#include "cc/ir/loads.h"
#include "cc/job.h"

/* Before it, pointers have types in the intermediate code, which then is another language. */
enum { OLDEST_OPAQUE_POINTERS = 15 };

static int run_and_free(struct job *job, struct words *command)
{
	int code = cc_job_run(job, command);
	words_free(command);
	return code;
}

static void add_files(struct words *command, const char *from, const char *to)
{
	words_add(command, from);
	words_add(command, "-o");
	words_add(command, to);
}

static bool begins(const char *word, const char *with)
{
	return !strncmp(word, with, strlen(with));
}

/* What of the front end's options is for the steps behind it, which the driver knows for sources alone. */
static void add_back_end_options(struct words *command, const struct words *front)
{
	bool contracts = true;
	for (size_t i = 0; i < front->count; i++) {
		const char *word = front->text[i], *next = i + 1 < front->count ? front->text[i + 1] : "";
		static const char target[] = "--cuda-gpu-arch=";
		if (begins(word, target)) {
			words_add(command, "-target-cpu");
			words_add(command, word + sizeof target - 1);
		} else if (begins(word, "+ptx")) {
			words_add(command, "-target-feature");
			words_add(command, word);
		} else if (!strcmp(word, "-mllvm")) {
			words_add(command, word);
			words_add(command, next);
			i++;
		} else if (!strcmp(word, "-O2") || !strcmp(word, "-O3")) {
			words_add(command, word);
		}
		contracts &= strcmp(word, "-ffp-contract=off") != 0;
	}
	if (contracts) {
		words_add(command, "-mllvm");
		words_add(command, "-nvptx-fma-level=1");
	}
}

/* A command that goes on with what the front end made. */
static void begin_back_end(struct words *command, const struct job *job, const struct words *front)
{
	static const char *const always[] = {
	    "-cc1",
	    "-triple",
	    "nvptx64-nvidia-cuda",
	    "-Wno-everything",
	    "-vectorize-loops",
	    "-vectorize-slp",
	    "-fno-dwarf-directory-asm",
	    "-mllvm",
	    "-enable-memcpyopt-without-libcalls",
	    "-mllvm",
	    "-disable-vector-combine", /* it would load two fields of a vector one by one */
	};
	words_add(command, job->tools->clang);
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		words_add(command, always[i]);
	add_back_end_options(command, front);
	words_add(command, "-x");
	words_add(command, "ir");
}

/* What a dry run would rewrite is not there. */
static bool rewrite_file(struct job *job, const char *path, char *(*rewrite)(const char *module))
{
	if (job->order->dry_run)
		return true;
	char *module = cc_read_file(path, &job->error);
	if (!module)
		return false;
	char *rewritten = rewrite(module);
	bool done = !rewritten || cc_write_file(path, rewritten, strlen(rewritten), &job->error);
	free(rewritten);
	free(module);
	return done;
}

static int run_front_end(struct job *job, const struct words *front, const char *source, const char *module)
{
	static const char *const options[] = {"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"};
	struct words command = {0};
	words_append(&command, front);
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		words_add(&command, options[i]);
	add_files(&command, source, module);
	return run_and_free(job, &command);
}

static int run_optimizer(struct job *job, const struct words *front, const char *module,
                         const char *optimized)
{
	struct words command = {0};
	begin_back_end(&command, job, front);
	words_add(&command, "-emit-llvm");
	words_add(&command, "-emit-llvm-uselists"); /* their order decides what the generator does first */
	add_files(&command, module, optimized);
	return run_and_free(job, &command);
}

static int run_generator(struct job *job, const struct words *front, const char *optimized, const char *ptx)
{
	struct words command = {0};
	begin_back_end(&command, job, front);
	words_add(&command, "-disable-llvm-passes");
	words_add(&command, "-S");
	add_files(&command, optimized, ptx);
	return run_and_free(job, &command);
}

static int run_steps(struct job *job, const struct words *front, const char *source, const char *ptx)
{
	char module[300], optimized[300];
	unsigned serial = job->serial++;
	snprintf(module, sizeof module, "%s/%u.ll", job->folder, serial);
	snprintf(optimized, sizeof optimized, "%s/%u.optimized.ll", job->folder, serial);
	int code = run_front_end(job, front, source, module);
	if (code)
		return code;
	if (!rewrite_file(job, module, ir_rewrite_copies))
		return FAILED;
	code = run_optimizer(job, front, module, optimized);
	if (code)
		return code;
	if (!rewrite_file(job, optimized, ir_rewrite_loads))
		return FAILED;
	return run_generator(job, front, optimized, ptx);
}

int cc_job_compile_device(struct job *job, const struct words *front, const char *source, const char *ptx)
{
	const struct cc_order *order = job->order;
	if (!order->debug_device && !order->clang_code && job->tools->clang_major >= OLDEST_OPAQUE_POINTERS)
		return run_steps(job, front, source, ptx);
	struct words command = {0};
	words_append(&command, front);
	if (!order->clang_code)
		words_add(&command, "-fno-strict-aliasing"); /* as cc/ir/copies.h has it */
	words_add(&command, "-S");
	add_files(&command, source, ptx);
	return run_and_free(job, &command);
}
