/* An order to `sluice cc`: what its options and inputs ask for (options.c, inputs.c). */
#ifndef SLUICE_CC_ORDER_H
#define SLUICE_CC_ORDER_H

#include "base/args.h"
#include "base/error.h"
#include "cc/command_line.h"

enum cc_stage { CC_LINK, CC_OBJECT, CC_PREPROCESS, CC_PTX, CC_DEPENDENCIES, CC_ARCHIVE, CC_DEVICE_LINK };
enum cc_language { CC_BY_NAME, CC_CUDA, CC_C, CC_CXX };

/* What the linker gets, in the order of the command line. */
struct cc_item {
	const char *text;
	bool is_input; /* a file; else an option of the linker */
	enum cc_language language;
};

enum { CC_OLDEST_SM = 70, CC_NEWEST_SM = 90 }; /* of device code; the oldest is the default */

struct cc_order {
	FILE *messages; /* set by the caller: gets warnings, shown commands, and the messages of compilers */
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
	unsigned sm;              /* architecture of device code; 0: not given */
	unsigned max_registers;   /* -maxrregcount; 0: none */
	bool debug_device;        /* -G */
	bool clang_code;          /* device code as clang makes it, not as nvcc would */
	bool is_relocatable;      /* device code of other files may be used */
	bool fast_math;
	bool wants_openmp;
	const char *dependency_file;                  /* of -MF; NULL: by the rules of the compiler */
	bool writes_dependencies, names_dependencies; /* -MD or -MMD; -MF */
	bool verbose, dry_run, shared;
	bool forwards_unknown; /* options that are not in the table go to the compiler of host code */
	bool keep;
	const char *keep_dir;
	bool precompile; /* only the precompiled headers are made */
	bool help, version;
	enum cc_language language; /* -x, of the files that follow */
	struct words owned;        /* texts made here that the order points to */
	unsigned files_open;       /* --options-file inside one another */
};

/* Add the options and files of a command line to the order. Points into argv; the caller frees the order, also on failure. */
bool cc_read_options(int argc, char **argv, struct cc_order *order, struct error *err);
void cc_free_order(struct cc_order *order);
/* Describe the options that have a text, for help_print(); return their number. */
enum { CC_OPTIONS_MAX = 128 };
size_t cc_describe_options(struct arg args[CC_OPTIONS_MAX]);

enum cc_language cc_language_of(const struct cc_item *item);
/* Whether the item is compiled before it is linked: not an object or library. */
bool cc_is_source(const struct cc_item *item);
/* Refuse inputs that are missing, are of no known kind, or do not go with the other options. */
bool cc_check_inputs(const struct cc_order *order, struct error *err);

#endif
