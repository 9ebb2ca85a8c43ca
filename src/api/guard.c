/* Errors, progress, versions, and what is counted. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/memory.h"
#include "base/trap.h"

uint32_t sluice_api_version(void)
{
	return SLUICE_API_MAJOR << 16 | SLUICE_API_MINOR;
}

const char *sluice_version(void)
{
	return SLUICE_VERSION;
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

bool fail(struct sluice_error *to, enum sluice_code code, const char *text)
{
	if (!to)
		return false;
	to->code = code;
	snprintf(to->text, sizeof to->text, "%s", text);
	return false;
}

/*
 * JSON that finds no memory would lack fields and look complete. Others in this process may use the same library of
 * JSON: outside our own work it gets what malloc() gives.
 */
static void *json_memory(size_t bytes)
{
	return trap_is_set() ? memory_grow(NULL, bytes, 1) : malloc(bytes);
}

static void prepare(void)
{
	json_set_alloc_funcs(json_memory, free);
}

struct guarded {
	bool (*work)(void *argument, struct error *err);
	void *argument;
	struct error err;
	bool ok;
};

static void call(void *argument)
{
	struct guarded *guarded = argument;
	guarded->ok = guarded->work(guarded->argument, &guarded->err);
}

bool guard(bool (*work)(void *argument, struct error *err), void *argument, const struct ticker *ticker,
           struct sluice_error *to)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct guarded guarded = {.work = work, .argument = argument};
	struct error trapped;
	pthread_once(&once, prepare);
	if (to)
		*to = (struct sluice_error){.code = SLUICE_OK};
	switch (trap_run(call, &guarded, &trapped)) {
	case TRAP_BUG:
		return fail(to, SLUICE_INTERNAL, trapped.text);
	case TRAP_MEMORY:
		return fail(to, SLUICE_NO_MEMORY, trapped.text);
	case TRAP_NONE:
		break;
	}
	if (ticker && ticker->cancelled)
		return fail(to, SLUICE_CANCELLED, "cancelled");
	return guarded.ok || fail(to, SLUICE_BAD_INPUT, guarded.err.text);
}

bool read_options(void *to, size_t size, const void *from, struct sluice_error *error)
{
	size_t given;
	memset(to, 0, size);
	if (!from)
		return true;
	memcpy(&given, from, sizeof given); /* every such struct begins with its size */
	/* Where a field ends inside, half a pointer would be read. */
	if (!given || given % sizeof(void *))
		return fail(error, SLUICE_BAD_INPUT, "options: their size is not that of the struct");
	memcpy(to, from, given < size ? given : size);
	return true;
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

bool ticker_tick(struct ticker *ticker, enum sluice_phase phase, uint64_t done)
{
	ticker->progress.phase = phase;
	ticker->progress.done = done;
	return ticker_go_on(ticker);
}

bool ticker_go_on(void *user)
{
	struct ticker *ticker = user;
	if (ticker->function && !ticker->cancelled)
		ticker->cancelled = !ticker->function(ticker->user, &ticker->progress);
	return !ticker->cancelled;
}

/* ---- what is counted --------------------------------------------------------------------------------------------- */

static bool give_info(const struct counter_info *from, struct sluice_info *info)
{
	*info = (struct sluice_info){
	    .name = from->name, .unit = from->unit, .nsight_compute = from->ncu, .definition = from->doc};
	return true;
}

size_t sluice_counter_count(void)
{
	return COUNTER_COUNT;
}

bool sluice_counter_info(size_t counter, struct sluice_info *info)
{
	return info && counter < COUNTER_COUNT && give_info(&counter_infos[counter], info);
}

ptrdiff_t sluice_counter_find(const char *name)
{
	return name ? counter_find(name) : -1;
}

size_t sluice_metric_count(void)
{
	return METRIC_COUNT;
}

bool sluice_metric_info(size_t metric, struct sluice_info *info)
{
	return info && metric < METRIC_COUNT && give_info(&metric_infos[metric], info);
}

ptrdiff_t sluice_metric_find(const char *name)
{
	for (int i = 0; name && i < METRIC_COUNT; i++)
		if (!strcmp(name, metric_infos[i].name) || (*name && !strcmp(name, metric_infos[i].ncu)))
			return i;
	return -1;
}
