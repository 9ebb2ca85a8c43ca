/*
 * libsluice: traces, machines and policies simulated inside your own program.
 *
 * No function prints, exits or changes signal handlers. A function that can fail takes a struct
 * sluice_error (NULL is allowed), fills it and returns NULL or false. Inputs are checked
 * before cycle 0. Threads may call all functions at the same time, but must not share
 * a result; traces and machines never change and may be shared. Returned texts
 * belong to the object that they describe. Structs with a `size` grow at
 * their end: set it to sizeof and zero the rest. docs/python.md shows both languages.
 */
#ifndef SLUICE_SLUICE_H
#define SLUICE_SLUICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLUICE_API __attribute__((visibility("default")))

/* MAJOR changes when programs must be compiled again, MINOR when something was added. */
#define SLUICE_API_MAJOR 1
#define SLUICE_API_MINOR 0
SLUICE_API uint32_t sluice_api_version(void); /* of the library: MAJOR << 16 | MINOR */
SLUICE_API const char *sluice_version(void);  /* of Sluice: "0.1.0" */

enum sluice_code {
	SLUICE_OK,
	SLUICE_BAD_INPUT, /* a name, file, value or program that cannot be used: `text` says what, where and why */
	SLUICE_CANCELLED, /* your progress function returned false */
	SLUICE_NO_MEMORY, /* the work was given up; what it had allocated is lost */
	SLUICE_INTERNAL,  /* an internal error: please report it; what the work had allocated is lost */
	SLUICE_CRASHED,   /* the process of an isolated run was killed */
};
struct sluice_error {
	enum sluice_code code;
	char text[1024];
};

/* ---- progress ------------------------------------------------------------------------------------------------- */

enum sluice_phase { SLUICE_RECORDING, SLUICE_IMPORTING, SLUICE_SIMULATING };
struct sluice_progress {
	enum sluice_phase phase;
	uint32_t launch;      /* that is simulated, from 0 */
	uint64_t done, total; /* warp instructions, or bytes of text imported; 0: unknown */
};
/* Called several times a second on the thread that called the library; return false to cancel. */
typedef bool sluice_progress_function(void *user, const struct sluice_progress *progress);

/* ---- traces --------------------------------------------------------------------------------------------------- */

struct sluice_trace_options {
	size_t size;
	const char *machine;    /* what a recorded program sees: name or file; NULL: h200 */
	bool again;             /* run the program even if a recording exists */
	bool is_program;        /* run it although it does not link Sluice's runtime */
	bool check_races;       /* in shared memory, while recording */
	bool lenient_memory;    /* reads just outside an allocation pass */
	uint64_t spin_budget;   /* warp instructions that CTAs may spin without progress; 0: the usual */
	uint64_t max_registers; /* per thread; 0: as compiled */
	sluice_progress_function *progress;
	void *user;
	/* Which launches are recorded, or chosen from a trace: as the options of `sluice run` of these names. */
	const char *launches;    /* "5-8"; NULL: all */
	const char *kernel_name; /* POSIX extended regular expression; NULL: all */
	const char *nvtx;        /* NULL: any range */
	uint64_t launch_skip, launch_count;
	bool profile_from_start_off;
	bool then_run;
	uint64_t max_insns;    /* the recording ends with the launch that passes it; 0: no bound */
	uint64_t record_limit; /* bytes; 0: the usual */
};
struct sluice_trace;
/*
 * What `sluice run` takes: a .sluice file, an Accel-Sim folder or file, an executable of `sluice cc`, a .cu file or the
 * name of a workload; `words` are the arguments of the program. Recordings and imports are found in the cache or put
 * there. `options` may be NULL.
 */
SLUICE_API struct sluice_trace *sluice_trace_open(const char *target, const char *const *words, size_t count,
                                                  const struct sluice_trace_options *options,
                                                  struct sluice_error *error);
/* Results of the trace stay valid; NULL is allowed. */
SLUICE_API void sluice_trace_close(struct sluice_trace *trace);
SLUICE_API const char *sluice_trace_name(const struct sluice_trace *trace);
SLUICE_API const char *sluice_trace_path(const struct sluice_trace *trace); /* of the .sluice file */
SLUICE_API size_t sluice_trace_launches(const struct sluice_trace *trace);
SLUICE_API uint64_t sluice_trace_warp_insns(const struct sluice_trace *trace);
/* Warning number `index`, from 0; NULL: no more. */
SLUICE_API const char *sluice_trace_warning(const struct sluice_trace *trace, size_t index);

struct sluice_program {
	int exit_status;                       /* 128 + signal if one killed it */
	int signal;                            /* 0: none */
	const char *fault;                     /* what ended a launch early; "": nothing */
	const char *stdout_path, *stderr_path; /* files with what it printed */
};
/* The program whose recording it is; false: it was a trace. */
SLUICE_API bool sluice_trace_program(const struct sluice_trace *trace, struct sluice_program *program);

/* ---- machines ------------------------------------------------------------------------------------------------- */

struct sluice_machine;
/* `name`: of `sluice machine list`, or a file; `changes`: "l1d.ways=8". */
SLUICE_API struct sluice_machine *sluice_machine_open(const char *name, const char *const *changes,
                                                      size_t count, struct sluice_error *error);
/* Results stay valid; NULL is allowed. */
SLUICE_API void sluice_machine_close(struct sluice_machine *machine);
SLUICE_API const char *sluice_machine_name(const struct sluice_machine *machine);
SLUICE_API const char *sluice_machine_warning(const struct sluice_machine *machine, size_t index);
/* The value of "l1d.ways" as a machine file spells it; false: no such key, or no room. */
SLUICE_API bool sluice_machine_value(const struct sluice_machine *machine, const char *key, char *value,
                                     size_t size);

/* ---- runs ----------------------------------------------------------------------------------------------------- */

struct sluice_run_options {
	size_t size;
	const char *policy;  /* the chain, "gto,swl:n=2" or "./mine.so"; NULL: gto */
	const char *look;    /* observers, "series" or "all"; NULL: none */
	const char *kernels; /* launches, "1,3,5-7"; NULL: all */
	uint64_t max_insns;  /* warp instructions of the whole run; 0: no limit */
	uint32_t threads;    /* workers; results do not depend on them; 0: one */
	uint32_t quantum;    /* 0: the machine's */
	bool cold_l2;        /* empty L2 before every launch */
	bool process;        /* in a process of its own: a policy that crashes does not end yours */
	sluice_progress_function *progress;
	void *user;
};
struct sluice_result;
/* Simulates. A run without progress is a result, too: its status is "deadlocked". `options` may be NULL. */
SLUICE_API struct sluice_result *sluice_run(const struct sluice_trace *trace,
                                            const struct sluice_machine *machine,
                                            const struct sluice_run_options *options,
                                            struct sluice_error *error);
SLUICE_API void sluice_result_free(struct sluice_result *result); /* NULL is allowed */
/* "done", "truncated" or "deadlocked". */
SLUICE_API const char *sluice_result_status(const struct sluice_result *result);
SLUICE_API const char *sluice_result_policy(const struct sluice_result *result); /* the chain as resolved */

struct sluice_launch {
	uint32_t index;     /* in the trace, from 0 */
	const char *kernel; /* its name */
	const char *status;
	const char *report; /* of a deadlocked launch: which warps wait for what; else NULL */
	uint32_t grid[3], block[3];
};
SLUICE_API size_t sluice_result_launches(const struct sluice_result *result); /* simulated */
SLUICE_API bool sluice_result_launch(const struct sluice_result *result, size_t launch,
                                     struct sluice_launch *facts);

/* All counters, and the metrics derived from them; see docs/counters.md. Indices are those of this version. */
struct sluice_info {
	const char *name, *unit, *definition;
	const char *nsight_compute; /* its name there; "" where there is none */
};
SLUICE_API size_t sluice_counter_count(void);
SLUICE_API bool sluice_counter_info(size_t counter, struct sluice_info *info);
SLUICE_API ptrdiff_t sluice_counter_find(const char *name); /* plain or Nsight Compute name; -1: none */
SLUICE_API size_t sluice_metric_count(void);
SLUICE_API bool sluice_metric_info(size_t metric, struct sluice_info *info);
SLUICE_API ptrdiff_t sluice_metric_find(const char *name);

/* A launch of the result, from 0, or this for all together. */
#define SLUICE_TOTAL ((size_t)-1)
/* sluice_counter_count() values; NULL: no such launch. */
SLUICE_API const uint64_t *sluice_result_counters(const struct sluice_result *result, size_t launch);
/* sluice_metric_count() values, NaN where a denominator is zero. */
SLUICE_API const double *sluice_result_metrics(const struct sluice_result *result, size_t launch);
/* By name; 0 and NaN where there is none. */
SLUICE_API uint64_t sluice_result_counter(const struct sluice_result *result, size_t launch,
                                          const char *name);
SLUICE_API double sluice_result_metric(const struct sluice_result *result, size_t launch, const char *name);
/* A time series ("ipc") of a run with look "series"; NaN where there is no value. NULL: no such series. */
SLUICE_API const double *sluice_result_series(struct sluice_result *result, size_t launch, const char *name,
                                              size_t *count);
/* Everything, as `sluice run --json` writes it. NULL: error says why. */
SLUICE_API const char *sluice_result_json(struct sluice_result *result, struct sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif
