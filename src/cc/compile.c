/*
 * Compiling. Of a .cu file, clang makes PTX of the device code, then an object of the host code that carries the PTX
 * for the runtime to find. Other sources go to the host's compiler. Intermediate files are in a temporary folder.
 *
 * Device code takes three commands: clang's front end, its optimizer, its code generator. The intermediate code between
 * them is rewritten so that memory is accessed as nvcc's code does: copies of structures before the optimizer
 * (cc/ir/copies.h), loads after it (cc/ir/loads.h). Where nothing is rewritten, one command would give the same.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/output.h"
#include "cc/device_code.h"
#include "cc/ir/copies.h"
#include "cc/ir/loads.h"
#include "cc/job.h"
#include "cc/process.h"
#include "cc/rewrite.h"

/* ---- device code ---------------------------------------------------------------------------------------- */

/* Before this version, pointers have types in the intermediate code. */
enum { OLDEST_OPAQUE_POINTERS = 15 };

/* Add those of the front end's options that concern the later steps, which clang's driver passes on for sources only. */
static void add_back_end_options(struct words *command, const struct words *front)
{
	bool contracts = true;
	for (size_t i = 0; i < front->count; i++) {
		const char *word = front->text[i], *next = i + 1 < front->count ? front->text[i + 1] : "";
		static const char target[] = "--cuda-gpu-arch=";
		if (word_begins(word, target)) {
			words_add_all(command, "-target-cpu", word + sizeof target - 1, NULL);
		} else if (word_begins(word, "+ptx")) {
			words_add_all(command, "-target-feature", word, NULL);
		} else if (!strcmp(word, "-mllvm")) {
			words_add_all(command, word, next, NULL);
			i++;
		} else if (!strcmp(word, "-O2") || !strcmp(word, "-O3")) {
			words_add(command, word);
		}
		contracts &= strcmp(word, "-ffp-contract=off") != 0;
	}
	if (contracts)
		words_add_all(command, "-mllvm", "-nvptx-fma-level=1", NULL);
}

/* Begin a command that continues with what the front end made. */
static void begin_back_end(struct words *command, const struct job *job, const struct words *front)
{
	/* -disable-vector-combine: it would load two fields of a vector one by one. */
	words_add_all(command, job->tools->clang, "-cc1", "-triple", "nvptx64-nvidia-cuda", "-Wno-everything",
	              "-vectorize-loops", "-vectorize-slp", "-fno-dwarf-directory-asm", "-mllvm",
	              "-enable-memcpyopt-without-libcalls", "-mllvm", "-disable-vector-combine", NULL);
	add_back_end_options(command, front);
	words_add_all(command, "-x", "ir", NULL);
}

static bool rewrite_file(struct job *job, const char *path, char *(*rewrite)(const char *module))
{
	if (job->order->dry_run)
		return true; /* there is no file */
	char *module = cc_read_text(path, job->err);
	if (!module)
		return false;
	char *rewritten = rewrite(module);
	bool done = !rewritten || output_write(path, rewritten, strlen(rewritten), job->err);
	free(rewritten);
	free(module);
	return done;
}

static int run_front_end(struct job *job, const struct words *front, const char *source, const char *module)
{
	struct words command = {0};
	words_append(&command, front);
	words_add_all(&command, "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", source, "-o", module,
	              NULL);
	return cc_job_run_last(job, &command);
}

static int run_optimizer(struct job *job, const struct words *front, const char *module,
                         const char *optimized)
{
	struct words command = {0};
	begin_back_end(&command, job, front);
	/* The order of use lists decides what the generator does first. */
	words_add_all(&command, "-emit-llvm", "-emit-llvm-uselists", module, "-o", optimized, NULL);
	return cc_job_run_last(job, &command);
}

static int run_generator(struct job *job, const struct words *front, const char *optimized, const char *ptx)
{
	struct words command = {0};
	begin_back_end(&command, job, front);
	words_add_all(&command, "-disable-llvm-passes", "-S", optimized, "-o", ptx, NULL);
	return cc_job_run_last(job, &command);
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

/* Compile a source's device code to PTX; `front` is the command without its stage and files. */
static int make_ptx(struct job *job, const struct words *front, const char *source, const char *ptx)
{
	const struct cc_order *order = job->order;
	if (!order->debug_device && !order->clang_code && job->tools->clang_major >= OLDEST_OPAQUE_POINTERS)
		return run_steps(job, front, source, ptx);
	struct words command = {0};
	words_append(&command, front);
	if (!order->clang_code)
		words_add(&command, "-fno-strict-aliasing"); /* as cc/ir/copies.h has it */
	words_add_all(&command, "-S", source, "-o", ptx, NULL);
	return cc_job_run_last(job, &command);
}

/* ---- compiler commands ------------------------------------------------------------------------------------ */

/* An architecture that clang knows from a version on, and its PTX version. */
struct architecture {
	unsigned sm, ptx, clang;
};

/* Find the newest that clang knows and the order allows. */
static const struct architecture *find_architecture(const struct job *job)
{
	static const struct architecture known[] = {{70, 63, 14}, {72, 63, 14}, {75, 63, 14}, {80, 70, 14},
	                                            {86, 71, 14}, {87, 74, 16}, {89, 78, 16}, {90, 78, 16}};
	const struct architecture *pick = known;
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].sm <= job->order->sm && known[i].clang <= job->tools->clang_major)
			pick = &known[i];
	return pick;
}

static void add_architecture(struct words *command, const struct job *job)
{
	const struct architecture *pick = find_architecture(job);
	words_format(command, "--cuda-gpu-arch=sm_%u", pick->sm);
	words_add_all(command, "-Xclang", "-target-feature", "-Xclang", NULL);
	words_format(command, "+ptx%u", pick->ptx);
}

/* The version of CUDA decides which launch interface clang uses: the runtime has that of 10.2. */
static void begin_cuda(struct words *command, const struct job *job)
{
	/* -fcuda-allow-variadic-functions: the host's headers declare such overloads, which no device code calls. */
	words_add_all(command, job->tools->clang, "-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc",
	              "-nocudalib", "-Xclang", "-target-sdk-version=10.2", "-Xclang",
	              "-fcuda-allow-variadic-functions", "-Wno-everything", "-Qunused-arguments", NULL);
	if (job->order->clang_code)
		words_add(command, "-DSLUICE_CLANG_CODE");
	words_format(command, "-std=%s", job->order->standard ? job->order->standard : "gnu++17");
	words_append(command, &job->order->all);
	words_append(command, &job->order->cuda);
	words_add(command, "-isystem");
	words_format(command, "%s/include/cuda_wrappers", job->tools->resources);
	words_add_all(command, "-isystem", job->tools->headers, NULL);
	if (!job->tools->has_openmp) {
		words_add(command, "-idirafter");
		words_format(command, "%s/omp", job->tools->headers);
	}
	words_add_all(command, "-include", "cuda_runtime.h", NULL);
}

static void begin_cuda_device(struct words *command, const struct job *job)
{
	const struct cc_order *order = job->order;
	begin_cuda(command, job);
	add_architecture(command, job);
	bool is_most = order->optimize && !strcmp(order->optimize, "-O3");
	/* As nvcc does, unroll loops whose trip count takes some arithmetic, by at most four, and larger loops than clang. */
	words_add_all(command,
	              order->debug_device ? "-O0"
	              : is_most           ? "-O3"
	                                  : "-O2",
	              "-gline-directives-only", "-mllvm", "-scev-cheap-expansion-budget=20", NULL);
	if (!order->clang_code)
		words_add_all(command, "-mllvm", "-unroll-partial-threshold=100", "-mllvm",
		              "-unroll-max-count=4", NULL);
	if (order->fast_math)
		words_add_all(command, "-fcuda-approx-transcendentals", "-fcuda-flush-denormals-to-zero",
		              "-mllvm", "-nvptx-prec-divf32=0", "-D__USE_FAST_MATH__", NULL);
	words_append(command, &order->device);
	words_add(command, "--cuda-device-only");
}

static void begin_cuda_host(struct words *command, const struct job *job)
{
	begin_cuda(command, job);
	/* Programs written for nvcc rely on signed numbers that wrap. */
	words_add_all(command, "--cuda-host-only", "-fwrapv", NULL);
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
	words_add_all(command, is_c ? job->tools->c : job->tools->cxx, "-x", is_c ? "c" : "c++", NULL);
	if (order->standard && is_c_standard(order->standard) == is_c)
		words_format(command, "-std=%s", order->standard);
	if (order->optimize)
		words_add(command, order->optimize);
	words_add(command, "-D__NVCC__");
	words_append(command, &order->all);
	words_append(command, &order->plain);
	words_add_all(command, "-isystem", job->tools->headers, NULL);
}

/* ---- sources -------------------------------------------------------------------------------------------- */

/* Make the name of an output in this folder: that of the source with another ending. */
static void output_name(char *name, size_t size, const char *source, const char *ending)
{
	const char *base = strrchr(source, '/');
	base = base ? base + 1 : source;
	const char *dot = strrchr(base, '.');
	snprintf(name, size, "%.*s%s", dot ? (int)(dot - base) : (int)strlen(base), base, ending);
}

/* Add rewritten files to a command, or, to compile, a precompiled header if none is rewritten. */
static bool add_overlay(struct job *job, struct words *command, const char *source, bool compiles)
{
	char *overlay;
	if (!cc_overlay_rewritten(source, &job->order->all, job->folder, &overlay, job->err))
		return false;
	if (!overlay && compiles)
		cc_use_precompiled(job, command);
	if (overlay)
		words_add_all(command, "-ivfsoverlay", overlay, NULL);
	free(overlay);
	return true;
}

/* Check PTX and limit its registers. Embedded PTX ends with a NUL: the runtime is not told its length. */
static int finish_ptx(struct job *job, const char *source, const char *path, bool is_embedded)
{
	if (job->order->dry_run)
		return DONE;
	char *ptx = cc_read_text(path, job->err);
	bool done = ptx && (job->order->is_relocatable || cc_check_ptx(ptx, source, job->err));
	if (done)
		cc_warn_unsupported(job->order->messages, ptx, source);
	if (done && find_architecture(job)->sm < job->order->sm)
		cc_warn_empty(job->order->messages, ptx, source, find_architecture(job)->sm, job->order->sm);
	if (done && job->order->max_registers) {
		char *limited = cc_limit_registers(ptx, job->order->max_registers);
		free(ptx);
		ptx = limited;
	}
	done = done && output_write(path, ptx, strlen(ptx) + is_embedded, job->err);
	free(ptx);
	return done ? DONE : FAILED;
}

static int compile_device(struct job *job, const char *source, const char *ptx, bool is_embedded)
{
	struct words command = {0};
	begin_cuda_device(&command, job);
	bool readable = add_overlay(job, &command, source, true);
	int code = readable ? make_ptx(job, &command, source, ptx) : FAILED;
	words_free(&command);
	return code ? code : finish_ptx(job, source, ptx, is_embedded);
}

static void add_dependency_file(struct words *command, const struct job *job, const char *source)
{
	char name[1024];
	output_name(name, sizeof name, source, ".d");
	if (job->order->writes_dependencies && !job->order->names_dependencies &&
	    job->order->stage == CC_LINK)
		words_add_all(command, "-MF", name, NULL);
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
	words_add_all(&command, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx, NULL);
	add_dependency_file(&command, job, source);
	words_add_all(&command, "-c", source, "-o", object, NULL);
	code = readable ? cc_job_run(job, &command) : FAILED;
	words_free(&command);
	return code || !job->order->is_relocatable ? code : cc_job_publish(job, ptx, object);
}

static int compile_plain(struct job *job, const struct cc_item *item, const char *object)
{
	struct words command = {0};
	begin_plain(&command, job, cc_language_of(item));
	add_dependency_file(&command, job, item->text);
	words_add_all(&command, "-c", item->text, "-o", object, NULL);
	return cc_job_run_last(job, &command);
}

static int compile(struct job *job, const struct cc_item *item, const char *object)
{
	return cc_language_of(item) == CC_CUDA ? compile_cuda(job, item->text, object)
	                                       : compile_plain(job, item, object);
}

/* Run -E or -M, whose output goes to standard output or to -o. */
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
	words_add_all(&command, job->order->stage == CC_PREPROCESS ? "-E" : job->order->dependencies,
	              item->text, NULL);
	if (job->order->output)
		words_add_all(&command, "-o", job->order->output, NULL);
	int code = readable ? cc_job_run(job, &command) : FAILED;
	words_free(&command);
	return code;
}

static void drop_message(void *context, const char *line)
{
	(void)context;
	(void)line;
}

/* Note the headers that a source includes. If it cannot be preprocessed, its compiler will say so. */
static bool note_headers(struct job *job, const struct cc_item *item)
{
	struct words command = {0};
	enum cc_language language = cc_language_of(item);
	char rule[300];
	snprintf(rule, sizeof rule, "%s/headers.d", job->folder);
	if (language == CC_CUDA)
		begin_cuda_host(&command, job);
	else
		begin_plain(&command, job, language);
	words_add_all(&command, "-M", "-MF", rule, item->text, "-o", "/dev/null", NULL);
	FILE *silence = fopen("/dev/null", "we");
	bool ok = silence || error_set(job->err, "/dev/null: %s", strerror(errno));
	if (ok && cc_run(&command, silence, drop_message, NULL) == 0 && !access(rule, R_OK)) {
		char *text = cc_read_text(rule, job->err);
		if ((ok = text != NULL))
			cc_note_rule(text);
		free(text);
	}
	if (silence)
		fclose(silence);
	words_free(&command);
	return ok;
}

/* Refuse to write over a header: see outputs.c. */
static bool check_headers(struct job *job)
{
	const struct cc_order *order = job->order;
	if (order->dry_run || !cc_outputs_could_be_headers(order))
		return true;
	for (size_t i = 0; i < order->item_count; i++)
		if (order->items[i].is_input && cc_is_source(&order->items[i]) &&
		    !note_headers(job, &order->items[i]))
			return false;
	return cc_check_outputs(order, job->err);
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

/* Compile all sources; `objects` gets all inputs and the linker's options, in their order. */
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

/* Precompile the header for device and for host code with these options. */
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
		return error_set(job->err, "%s: %s", job->folder, strerror(errno));
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
	if (!check_headers(job))
		return BAD_INPUT;
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
	struct job job = {.order = order, .tools = tools, .err = err};
	err->text[0] = '\0';
	int code = BAD_INPUT;
	if (make_folder(&job)) {
		code = carry_out(&job);
		remove_folder(&job);
	}
	return code;
}
