/*
 * The key of a run: a digest of everything its result depends on, names and times
 * excepted. Left out: what a policy's shared object loads or reads by itself.
 */
#ifndef SLUICE_STORE_RUN_KEY_H
#define SLUICE_STORE_RUN_KEY_H

#include "run/run.h"

enum { RUN_KEY_SIZE = 33 };

/*
 * Digest machine values, policies with their parameters, options, observers, and the model itself. `machine`: the result
 * of run_key_machine() for the machine of the configuration; NULL computes it.
 */
bool run_key_config(const struct config *config, const char *machine, const struct run_options *options,
                    const char *look, uint64_t digest[2], struct error *err);
/* Make the key of a configuration and a trace's content. */
void run_key_text(const uint64_t config_digest[2], const uint64_t trace[2], char key[RUN_KEY_SIZE]);
/* Make the key of the machine's values alone. */
void run_key_machine(const struct machine *machine, char key[RUN_KEY_SIZE]);
/* Return the digest of the sources of the model that were compiled. */
const char *run_key_model(void);

#endif
