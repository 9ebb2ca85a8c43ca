/*
 * `sluice cc`: what its parts share. Options (cc/options.c) become an order;
 * the order and the tools found (cc/tools.c) become compiler commands
 * (cc/compile.c), which run one after the other (cc/process.c).
 */
#ifndef SLUICE_CC_CC_H
#define SLUICE_CC_CC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/args.h"
#include "base/error.h"

/* A growing command line; it owns its texts. */
struct words {
	char **text; /* ends with NULL once something was added */
	size_t count;
};
void words_add(struct words *words, const char *text);
void words_format(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_append(struct words *words, const struct words *more);
void words_free(struct words *words);

enum cc_stage { CC_LINK, CC_OBJECT, CC_PREPROCESS, CC_PTX, CC_DEPENDENCIES, CC_ARCHIVE, CC_DEVICE_LINK };
enum cc_language { CC_BY_NAME, CC_CUDA, CC_C, CC_CXX };

/* What the linker gets, in the order of the command line. */
struct cc_item {
	const char *text;
	bool is_input; /* a file; else an option of the linker */
	enum cc_language language;
};

enum { CC_OLDEST_SM = 70 }; /* architecture of device code when none is asked for */

struct cc_order {
	FILE *messages; /* for warnings, and for commands that are shown; set it before cc_read_options() */
	enum cc_stage stage;
	const char *output; /* NULL: by the rules of nvcc */
	struct cc_item *items;
	size_t item_count, input_count;
	/* Options for: device code, the host's part of .cu files, both of these, other sources, all of these, linking. */
	struct words device, cuda_host, cuda, plain, all, link;
	const char *standard;     /* -std= */
	const char *optimize;     /* "-O3"; NULL: not given */
	const char *dependencies; /* -M or -MM of CC_DEPENDENCIES */
	const char *cudart;       /* static, shared or none */
	const char *ptx_ending;   /* of CC_PTX: ".cubin" ...; NULL: ".ptx" */
	unsigned sm;              /* architecture of device code */
	unsigned max_registers;   /* -maxrregcount; 0: none */
	bool debug_device;        /* -G */
	bool clang_code;          /* device code as clang makes it, not as nvcc would */
	bool is_relocatable;      /* device code of other files may be used */
	bool fast_math;
	bool wants_openmp;
	bool writes_dependencies, names_dependencies; /* -MD or -MMD; -MF */
	bool verbose, dry_run, shared;
	bool forwards_unknown; /* options that are not in the table go to the compiler of host code */
	bool keep;
	const char *keep_dir;
	bool precompile; /* our headers, and nothing else */
	bool help, version;
	enum cc_language language; /* -x, of the files that follow */
	struct words owned;        /* texts that the order points to, made here */
	unsigned files_open;       /* --options-file inside one another */
};

bool cc_read_options(int argc, char **argv, struct cc_order *order, struct error *err);
void cc_free_order(struct cc_order *order);
/* The options that have a text, for help_print(); returns their number. */
enum { CC_OPTIONS_MAX = 128 };
size_t cc_describe_options(struct arg args[CC_OPTIONS_MAX]);
enum cc_language cc_language_of(const struct cc_item *item);
/* Compiled before it is linked: not an object or library. */
bool cc_is_source(const struct cc_item *item);
/* Refuse inputs that are missing, are of no known kind, or do not go with the other options. */
bool cc_check_inputs(const struct cc_order *order, struct error *err);

struct cc_tools {
	char clang[512];     /* clang++ */
	char resources[512]; /* its own headers and libraries */
	unsigned clang_major;
	bool has_openmp;       /* clang's own omp.h is installed */
	char c[512], cxx[512]; /* for sources without device code, and for linking */
	char headers[512];     /* include/cuda */
	char library[512];     /* folder of libsluicert.so; empty: none found */
	char toolkit[512]; /* folder that `sluice toolkit` made and whose nvcc was called; empty: none was */
};
bool cc_find_tools(struct cc_tools *tools, struct error *err);
/* Only our headers and the runtime library. */
bool cc_find_own_parts(struct cc_tools *tools, struct error *err);

/* ---- toolkit folders (cc/toolkit.c) */
/* CUDA release whose interface headers and runtime have, as in CUDART_VERSION. */
#define CC_CUDA_RELEASE "12.0"
#define CC_CUDA_VERSION CC_CUDA_RELEASE ".140"
void cc_print_version(FILE *out);
/* The variables that nvcc shows before its commands, for CMake and others that read them. */
void cc_print_environment(FILE *out, const struct cc_tools *tools, unsigned sm);
/* A folder of headers, or of libraries, that belongs to NVIDIA's toolkit: not to be mixed with ours. */
bool cc_is_foreign_headers(const char *folder);
bool cc_is_foreign_libraries(const char *folder);
/* The folder of our own headers, by any name. */
bool cc_is_own_headers(const char *folder);

/* Carry out the order; return the exit code. err->text is empty if the compilers have said what is wrong. */
int cc_carry_out(const struct cc_order *order, const struct cc_tools *tools, struct error *err);

/* Runs a command, waits; its exit code (127: could not be started). stdout and stderr are ours. */
int cc_run(const struct words *command);
/* The same, but its messages go to `messages`, and `missing` gets the header or -lLIBRARY that it does not find, or "". */
int cc_run_watched(const struct words *command, FILE *messages, char *missing, size_t size);
/* Which package has the header (or -lLIBRARY), or that it is not supported; nothing if there is nothing to say. */
void cc_explain_missing(const char *header, unsigned clang_major, struct error *err);
/* The first line that the command prints. */
bool cc_run_line(const struct words *command, char *line, size_t size);
void cc_print_command(FILE *out, const struct words *command);
/* In quotes where a shell would want them. */
void cc_print_word(FILE *out, const char *word);

/*
 * Where a file, or one it includes, has what clang does not take (cc/rewrite.c),
 * copies go to `folder`, with an overlay that shows them to clang in place of
 * the originals; *overlay is its path, or NULL.
 */
bool cc_overlay_rewritten(const char *source, const struct words *options, const char *folder, char **overlay,
                          struct error *err);
/* Replaces *text, lines as they were; false: nothing to do. */
bool cc_rewrite(char **text);
/* cc/device_launch.c: one part of it. */
bool cc_rewrite_device_launches(char **text);
/* Behind a comment or a literal that starts here, or `at` itself. */
const char *cc_skip_text(const char *at);

/*
 * Looks through PTX for what another file would have to define: device
 * functions and variables, which -rdc=true would allow. Names the first in `err`.
 */
bool cc_check_ptx(const char *ptx, const char *source, struct error *err);
/* Warn of instructions that the runtime does not support, at their lines in the source. */
void cc_warn_unsupported(FILE *out, const char *ptx, const char *source);
/* A copy in which no kernel takes more registers per thread. */
char *cc_limit_registers(const char *ptx, unsigned registers);

char *cc_read_file(const char *path, struct error *err);
bool cc_write_file(const char *path, const char *text, size_t bytes, struct error *err);

#endif
