/*
 * What a run is found again by: a digest of everything its result depends on,
 * whatever names and times. Left out: what a policy's shared object loads or
 * reads on its own.
 */
#ifndef SLUICE_STORE_RUN_KEY_H
#define SLUICE_STORE_RUN_KEY_H

#include "run/run.h"

enum { RUN_KEY_SIZE = 33 };

/*
 * Machine values, policies with their parameters, options, what is looked at, and the model itself. `machine`: what
 * run_key_machine() says of the config's, NULL if it is not known yet.
 */
bool run_key_config(const struct config *config, const char *machine, const struct run_options *options,
                    const char *look, uint64_t digest[2], struct error *err);
/* Of a configuration and a trace's content. */
void run_key_text(const uint64_t config_digest[2], const uint64_t trace[2], char key[RUN_KEY_SIZE]);
/* Of the machine's values alone. */
void run_key_machine(const struct machine *machine, char key[RUN_KEY_SIZE]);
/* Digest of the sources of the model, as they were compiled. */
const char *run_key_model(void);

#endif
