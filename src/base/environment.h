/*
 * The environment variables that Sluice reads, each named once. The runtime
 * library inside a compiled program (src/cudart) takes its orders from `sluice`
 * through them.
 */
#ifndef SLUICE_BASE_ENVIRONMENT_H
#define SLUICE_BASE_ENVIRONMENT_H

/* Read by the runtime library; set by `sluice run` and `sluice record` for the programs they start. */
#define ENV_MACHINE "SLUICE_MACHINE"               /* machine that the program sees; h200 */
#define ENV_RECORD "SLUICE_RECORD"                 /* file that the recording goes to; none: no recording */
#define ENV_REPORT "SLUICE_RT_REPORT"              /* file for facts about the execution, at its end */
#define ENV_LAUNCH_SECONDS "SLUICE_LAUNCH_SECONDS" /* file with the time of every launch, one per line */
#define ENV_WINDOW "SLUICE_WINDOW"                 /* which launches are recorded (window/window.h) */
#define ENV_RECORD_LIMIT "SLUICE_RECORD_LIMIT"     /* bytes that the recording may have */
#define ENV_FAULT_STATUS "SLUICE_FAULT_STATUS" /* status of a program one of whose kernels failed; its own */
#define ENV_CHECK_RACES "SLUICE_CHECK_RACES"   /* anything but 0: look for races in shared memory */
#define ENV_LENIENT_MEMORY "SLUICE_LENIENT_MEMORY" /* anything but 0: reads just outside an allocation pass */
#define ENV_SPIN_BUDGET "SLUICE_SPIN_BUDGET"       /* warp instructions without progress before giving up */
#define ENV_MAXRREGCOUNT "SLUICE_MAXRREGCOUNT"     /* registers per thread, at most */

/* Where files are found. */
#define ENV_MACHINES "SLUICE_MACHINES"       /* folder of the machine files */
#define ENV_WORKLOADS "SLUICE_WORKLOADS"     /* folder of the workloads */
#define ENV_PAPERS "SLUICE_PAPERS"           /* folder of the papers' figures and claims */
#define ENV_CACHE_DIR "SLUICE_CACHE_DIR"     /* folder for imports, recordings and results */
#define ENV_PROGRAM "SLUICE_PROGRAM"         /* sluice itself, for libsluice.so */
#define ENV_CLANG "SLUICE_CLANG"             /* clang++ that `sluice cc` uses */
#define ENV_TOOLKIT "SLUICE_TOOLKIT"         /* folder that `sluice toolkit` made: set by its nvcc */
#define ENV_INCLUDE_DIR "SLUICE_INCLUDE_DIR" /* folder of the CUDA headers */
#define ENV_LIBRARY_DIR "SLUICE_LIBRARY_DIR" /* folder of libsluicert.so */

/* Told by programs that start sluice: where progress goes, line by line (base/progress.h). */
#define ENV_PROGRESS_FD "SLUICE_PROGRESS_FD"

#endif
