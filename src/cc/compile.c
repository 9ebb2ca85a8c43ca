/*
 * Carries out an order of `sluice cc`. Of a .cu file, clang makes PTX of its
 * device code (cc/device.c), then an object of its host code that carries
 * the PTX along, for the runtime to find. Other sources go to the host's
 * compiler. Intermediate files live in a folder that goes in the end.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cc/job.h"

/* ---- compiler commands ------------------------------------------------------------------------------------ */

/* What the clang knows, and the PTX version that goes with it. */
static void add_architecture(struct words *command, const struct job *job)
{
	static const struct {
		unsigned sm, ptx, clang;
	} known[] = {{70, 63, 14}, {72, 63, 14}, {75, 63, 14}, {80, 70, 14},
	             {86, 71, 14}, {87, 74, 16}, {89, 78, 16}, {90, 78, 16}};
	unsigned pick = 0;
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].sm <= job->order->sm && known[i].clang <= job->tools->clang_major)
			pick = i;
	words_format(command, "--cuda-gpu-arch=sm_%u", known[pick].sm);
	words_add(command, "-Xclang");
	words_add(command, "-target-feature");
	words_add(command, "-Xclang");
	words_format(command, "+ptx%u", known[pick].ptx);
}

/* The version of CUDA settles which launch interface clang uses: 10.2 has the one of the runtime. */
static void begin_cuda(struct words *command, const struct job *job)
{
	static const char *const always[] = {
	    "-x",
	    "cuda",
	    "--cuda-path=/nonexistent",
	    "-nocudainc",
	    "-nocudalib",
	    "-Xclang",
	    "-target-sdk-version=10.2",
	    "-Xclang",
	    "-fcuda-allow-variadic-functions", /* declared for overloads that nobody calls */
	    "-Wno-everything",
	    "-Qunused-arguments"};
	words_add(command, job->tools->clang);
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		words_add(command, always[i]);
	if (job->order->clang_code)
		words_add(command, "-DSLUICE_CLANG_CODE");
	words_format(command, "-std=%s", job->order->standard ? job->order->standard : "gnu++17");
	words_append(command, &job->order->all);
	words_append(command, &job->order->cuda);
	words_add(command, "-isystem");
	words_format(command, "%s/include/cuda_wrappers", job->tools->resources);
	words_add(command, "-isystem");
	words_add(command, job->tools->headers);
	if (!job->tools->has_openmp) {
		words_add(command, "-idirafter");
		words_format(command, "%s/omp", job->tools->headers);
	}
	words_add(command, "-include");
	words_add(command, "cuda_runtime.h");
}

static void add_fast_math(struct words *command)
{
	static const char *const fast[] = {"-fcuda-approx-transcendentals", "-fcuda-flush-denormals-to-zero",
	                                   "-mllvm", "-nvptx-prec-divf32=0", "-D__USE_FAST_MATH__"};
	for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
		words_add(command, fast[i]);
}

static void begin_cuda_device(struct words *command, const struct job *job)
{
	const struct cc_order *order = job->order;
	begin_cuda(command, job);
	add_architecture(command, job);
	bool is_most = order->optimize && !strcmp(order->optimize, "-O3");
	words_add(command, order->debug_device ? "-O0" : is_most ? "-O3" : "-O2");
	words_add(command, "-gline-directives-only");
	/* As nvcc does: loops are unrolled whose number of rounds takes some arithmetic to find. */
	words_add(command, "-mllvm");
	words_add(command, "-scev-cheap-expansion-budget=20");
	/* And four rounds at once, not more, and of larger loops, too. */
	if (!order->clang_code) {
		static const char *const unroll[] = {"-mllvm", "-unroll-partial-threshold=100", "-mllvm",
		                                     "-unroll-max-count=4"};
		for (size_t i = 0; i < sizeof unroll / sizeof *unroll; i++)
			words_add(command, unroll[i]);
	}
	if (order->fast_math)
		add_fast_math(command);
	words_append(command, &order->device);
	words_add(command, "--cuda-device-only");
}

static void begin_cuda_host(struct words *command, const struct job *job)
{
	begin_cuda(command, job);
	words_add(command, "--cuda-host-only");
	words_add(command, "-fwrapv"); /* programs written for nvcc count on signed numbers that wrap */
	if (job->order->optimize)
		words_add(command, job->order->optimize);
	if (job->order->wants_openmp && job->tools->has_openmp)
		words_add(command, "-fopenmp");
	words_append(command, &job->order->cuda_host);
}

static bool is_c_standard(const char *standard)
{
	return !strstr(standard, "++");
}

static void begin_plain(struct words *command, const struct job *job, enum cc_language language)
{
	const struct cc_order *order = job->order;
	bool is_c = language == CC_C;
	words_add(command, is_c ? job->tools->c : job->tools->cxx);
	words_add(command, "-x");
	words_add(command, is_c ? "c" : "c++");
	if (order->standard && is_c_standard(order->standard) == is_c)
		words_format(command, "-std=%s", order->standard);
	if (order->optimize)
		words_add(command, order->optimize);
	words_add(command, "-D__NVCC__");
	words_append(command, &order->all);
	words_append(command, &order->plain);
	words_add(command, "-isystem");
	words_add(command, job->tools->headers);
}

/* ---- sources -------------------------------------------------------------------------------------------- */

/* "dir/name.cu" with another ending, in this folder. */
static void output_name(char *name, size_t size, const char *source, const char *ending)
{
	const char *base = strrchr(source, '/');
	base = base ? base + 1 : source;
	const char *dot = strrchr(base, '.');
	snprintf(name, size, "%.*s%s", dot ? (int)(dot - base) : (int)strlen(base), base, ending);
}

/* Files as clang takes them, and, to compile, a precompiled header where there is one for the command so far. */
static bool add_overlay(struct job *job, struct words *command, const char *source, bool compiles)
{
	char *overlay;
	if (!cc_overlay_rewritten(source, &job->order->all, job->folder, &overlay, &job->error))
		return false;
	if (!overlay && compiles)
		cc_use_precompiled(job, command);
	if (overlay) {
		words_add(command, "-ivfsoverlay");
		words_add(command, overlay);
	}
	free(overlay);
	return true;
}

/* The runtime gets the text without its length: it ends with a zero. */
static int finish_ptx(struct job *job, const char *source, const char *path, bool is_embedded)
{
	if (job->order->dry_run)
		return DONE;
	char *ptx = cc_read_file(path, &job->error);
	bool done = ptx && (job->order->is_relocatable || cc_check_ptx(ptx, source, &job->error));
	if (done)
		cc_warn_unsupported(job->order->messages, ptx, source);
	if (done && job->order->max_registers) {
		char *limited = cc_limit_registers(ptx, job->order->max_registers);
		free(ptx);
		ptx = limited;
	}
	done = done && cc_write_file(path, ptx, strlen(ptx) + (is_embedded ? 1 : 0), &job->error);
	free(ptx);
	return done ? DONE : FAILED;
}

static int compile_device(struct job *job, const char *source, const char *ptx, bool is_embedded)
{
	struct words command = {0};
	begin_cuda_device(&command, job);
	bool readable = add_overlay(job, &command, source, true);
	int code = readable ? cc_job_compile_device(job, &command, source, ptx) : FAILED;
	words_free(&command);
	return code ? code : finish_ptx(job, source, ptx, is_embedded);
}

static void add_dependency_file(struct words *command, const struct job *job, const char *source)
{
	char name[1024];
	output_name(name, sizeof name, source, ".d");
	if (job->order->writes_dependencies && !job->order->names_dependencies &&
	    job->order->stage == CC_LINK) {
		words_add(command, "-MF");
		words_add(command, name);
	}
}

static int compile_cuda(struct job *job, const char *source, const char *object)
{
	char ptx[1024], name[512];
	if (job->order->keep || job->order->keep_dir) {
		output_name(name, sizeof name, source, ".ptx");
		snprintf(ptx, sizeof ptx, "%s/%s", job->order->keep_dir ? job->order->keep_dir : ".", name);
	} else {
		snprintf(ptx, sizeof ptx, "%s/%u.ptx", job->folder, job->serial++);
	}
	int code = compile_device(job, source, ptx, true);
	if (code)
		return code;
	struct words command = {0};
	begin_cuda_host(&command, job);
	bool readable = add_overlay(job, &command, source, true);
	words_add(&command, "-Xclang");
	words_add(&command, "-fcuda-include-gpubinary");
	words_add(&command, "-Xclang");
	words_add(&command, ptx);
	add_dependency_file(&command, job, source);
	words_add(&command, "-c");
	words_add(&command, source);
	words_add(&command, "-o");
	words_add(&command, object);
	code = readable ? cc_job_run(job, &command) : FAILED;
	words_free(&command);
	return code || !job->order->is_relocatable ? code : cc_job_publish(job, ptx, object);
}

static int compile_plain(struct job *job, const struct cc_item *item, const char *object)
{
	struct words command = {0};
	begin_plain(&command, job, cc_language_of(item));
	add_dependency_file(&command, job, item->text);
	words_add(&command, "-c");
	words_add(&command, item->text);
	words_add(&command, "-o");
	words_add(&command, object);
	int code = cc_job_run(job, &command);
	words_free(&command);
	return code;
}

static int compile(struct job *job, const struct cc_item *item, const char *object)
{
	return cc_language_of(item) == CC_CUDA ? compile_cuda(job, item->text, object)
	                                       : compile_plain(job, item, object);
}

/* -E and -M: to standard output, or where -o says. */
static int inspect(struct job *job, const struct cc_item *item)
{
	struct words command = {0};
	enum cc_language language = cc_language_of(item);
	bool readable = true;
	if (language == CC_CUDA) {
		begin_cuda_host(&command, job);
		readable = add_overlay(job, &command, item->text, false);
	} else {
		begin_plain(&command, job, language);
	}
	words_add(&command, job->order->stage == CC_PREPROCESS ? "-E" : job->order->dependencies);
	words_add(&command, item->text);
	if (job->order->output) {
		words_add(&command, "-o");
		words_add(&command, job->order->output);
	}
	int code = readable ? cc_job_run(job, &command) : FAILED;
	words_free(&command);
	return code;
}

/* ---- the whole order -------------------------------------------------------------------------------------- */

static int compile_one(struct job *job, const struct cc_item *item)
{
	char name[1024];
	const char *given = job->order->output;
	switch (job->order->stage) {
	case CC_PTX:
		if (cc_language_of(item) != CC_CUDA)
			return DONE;
		output_name(name, sizeof name, item->text,
		            job->order->ptx_ending ? job->order->ptx_ending : ".ptx");
		return compile_device(job, item->text, given ? given : name, false);
	case CC_OBJECT:
		output_name(name, sizeof name, item->text, ".o");
		return compile(job, item, given ? given : name);
	default:
		return inspect(job, item);
	}
}

static int compile_each(struct job *job)
{
	const struct cc_order *order = job->order;
	int code = DONE;
	for (size_t i = 0; i < order->item_count && !code; i++)
		if (order->items[i].is_input && cc_is_source(&order->items[i]))
			code = compile_one(job, &order->items[i]);
	return code;
}

/* Objects of all inputs and the linker's options, in their order. */
static int compile_all(struct job *job, struct words *objects)
{
	const struct cc_order *order = job->order;
	for (size_t i = 0; i < order->item_count; i++) {
		const struct cc_item *item = &order->items[i];
		if (!item->is_input || !cc_is_source(item)) {
			words_add(objects, item->text);
			continue;
		}
		char object[1024];
		snprintf(object, sizeof object, "%s/%u.o", job->folder, job->serial++);
		int code = compile(job, item, object);
		if (code)
			return code;
		words_add(objects, object);
	}
	return DONE;
}

/* Our header, for device and host code with these options. */
static int precompile(struct job *job)
{
	struct words device = {0}, host = {0};
	begin_cuda_device(&device, job);
	begin_cuda_host(&host, job);
	int code = cc_job_precompile(job, &device);
	if (!code)
		code = cc_job_precompile(job, &host);
	words_free(&device);
	words_free(&host);
	return code;
}

static bool make_folder(struct job *job)
{
	const char *base = getenv("TMPDIR");
	snprintf(job->folder, sizeof job->folder, "%s/sluice-cc-XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(job->folder))
		return error_set(&job->error, "%s: %s", job->folder, strerror(errno));
	cleanup_add(job->folder);
	return true;
}

static void remove_folder(const struct job *job)
{
	remove_tree(job->folder);
	cleanup_done(job->folder);
}

static int carry_out(struct job *job)
{
	const struct cc_order *order = job->order;
	if (order->wants_openmp && !job->tools->has_openmp)
		fprintf(order->messages,
		        "sluice cc: OpenMP in .cu files is not compiled: apt install libomp-%u-dev\n",
		        job->tools->clang_major);
	if (order->stage == CC_DEVICE_LINK)
		return cc_job_link_device(job);
	if (order->precompile)
		return precompile(job);
	if (order->stage != CC_LINK && order->stage != CC_ARCHIVE)
		return compile_each(job);
	struct words objects = {0};
	int code = compile_all(job, &objects);
	if (!code)
		code = order->stage == CC_LINK ? cc_job_link(job, &objects) : cc_job_archive(job, &objects);
	words_free(&objects);
	return code;
}

int cc_carry_out(const struct cc_order *order, const struct cc_tools *tools, struct error *err)
{
	struct job job = {.order = order, .tools = tools};
	int code = BAD_INPUT;
	if (make_folder(&job)) {
		code = carry_out(&job);
		remove_folder(&job);
	}
	*err = job.error;
	return code;
}
