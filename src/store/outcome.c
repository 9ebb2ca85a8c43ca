/* Outcomes of simulations as bytes. */
#include "store/outcome.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/memory.h"
#include "base/progress.h"
#include "report/run_json.h"
#include "run/look.h"

enum { DIGITS = 12, LEVEL = 1, DETAIL_MOST = 1 << 30 };
static const char MAGIC[8] = "SLOUT01";

/* ---- simulating ------------------------------------------------------------------------------------------- */

struct outcome outcome_failed(const char *status, const char *message)
{
	json_t *summary = json_object();
	json_object_set_new(summary, "status", json_string(status));
	json_object_set_new(summary, "message", json_text(message));
	return (struct outcome){.summary = summary};
}

/* What policies counted, summed over launches. */
static json_t *sum_policy_counters(const json_t *launches)
{
	json_t *all = json_object(), *launch, *counters, *value;
	const char *policy, *name;
	size_t i;
	json_array_foreach((json_t *)(uintptr_t)launches, i, launch)
	{
		json_object_foreach(json_object_get(launch, "policy_counters"), policy, counters)
		{
			json_t *own = json_object_get(all, policy);
			if (!own)
				json_object_set_new(all, policy, own = json_object());
			json_object_foreach(counters, name, value)
			{
				json_int_t before = json_integer_value(json_object_get(own, name));
				json_object_set_new(own, name,
				                    json_integer(before + json_integer_value(value)));
			}
		}
	}
	return all;
}

/* [[launch, name, [values]], ...] of the time series that an observer took. */
static json_t *collect_series(const json_t *launches)
{
	json_t *all = json_array(), *launch, *values;
	const char *name;
	size_t i;
	json_array_foreach((json_t *)(uintptr_t)launches, i, launch)
	{
		json_t *series = json_object_get(json_object_get(launch, "look"), "series");
		json_object_foreach(series, name, values) if (json_is_array(values)) json_array_append_new(
		    all, json_pack("[O, s, O]", json_object_get(launch, "launch"), name, values));
	}
	return all;
}

static void pack(struct outcome *outcome, const char *text)
{
	size_t bytes = strlen(text), most = ZSTD_compressBound(bytes);
	outcome->detail = memory_zeroed(most, 1);
	outcome->detail_bytes = ZSTD_compress(outcome->detail, most, text, bytes, LEVEL);
	if (ZSTD_isError(outcome->detail_bytes))
		BUG("a result cannot be compressed: %s", ZSTD_getErrorName(outcome->detail_bytes));
}

static void take_result(struct outcome *outcome, const struct config *config, const struct run_result *result)
{
	json_t *json = json_result(config->machine, result);
	char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
	if (!text)
		BUG("a result that JSON cannot hold");
	pack(outcome, text);
	free(text);
	const json_t *launches = json_object_get(json, "launches");
	outcome->summary = json_object();
	json_object_set(outcome->summary, "status", json_object_get(json, "status"));
	json_object_set(outcome->summary, "total", json_object_get(json, "total"));
	json_object_set_new(outcome->summary, "policy_counters", sum_policy_counters(launches));
	json_object_set_new(outcome->summary, "series", collect_series(launches));
	const json_t *last = json_array_get(launches, json_array_size(launches) - 1);
	if (json_object_get(last, "report"))
		json_object_set(outcome->summary, "message", json_object_get(last, "report"));
	json_decref(json);
}

struct outcome outcome_simulate(const struct config *config, const struct trace *trace,
                                const struct run_options *options, const char *look)
{
	struct outcome outcome = {0};
	struct run_options own = *options;
	struct run_result result = {0};
	struct error err = {{0}};
	struct look *watch = NULL;
	double start = progress_clock();
	bool ok = !look || (watch = look_new(look, config->chain, &err));
	own.look = watch;
	ok = ok && run_trace(config, trace, &own, &result, &err);
	if (ok)
		take_result(&outcome, config, &result);
	else
		outcome = outcome_failed("failed", err.text);
	outcome.wall_s = progress_clock() - start;
	run_result_free(&result);
	return outcome;
}

void outcome_free(struct outcome *outcome)
{
	json_decref(outcome->summary);
	free(outcome->detail);
	*outcome = (struct outcome){0};
}

bool outcome_has_result(const struct outcome *outcome)
{
	return outcome->detail != NULL;
}

json_t *outcome_unpack(const void *detail, size_t bytes)
{
	unsigned long long size = ZSTD_getFrameContentSize(detail, bytes);
	if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > DETAIL_MOST)
		return NULL;
	char *text = memory_zeroed((size_t)size + 1, 1);
	size_t n = ZSTD_decompress(text, (size_t)size, detail, bytes);
	json_t *result = ZSTD_isError(n) ? NULL : json_loadb(text, n, 0, NULL);
	free(text);
	return result;
}

json_t *outcome_result(const struct outcome *outcome)
{
	return outcome->detail ? outcome_unpack(outcome->detail, outcome->detail_bytes) : NULL;
}

/* ---- bytes ------------------------------------------------------------------------------------------------ */

struct header {
	char magic[8];
	uint64_t summary_bytes, detail_bytes, checksum;
	double wall_s;
};

static uint64_t checksum_of(const struct header *header, const char *summary, const void *detail)
{
	struct header plain = *header;
	plain.checksum = 0;
	uint64_t sum = XXH3_64bits(&plain, sizeof plain);
	sum = XXH3_64bits_withSeed(summary, header->summary_bytes, sum);
	return header->detail_bytes ? XXH3_64bits_withSeed(detail, header->detail_bytes, sum) : sum;
}

bool outcome_write(const struct outcome *outcome, FILE *out)
{
	char *summary = json_dumps(outcome->summary, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
	if (!summary)
		BUG("a summary that JSON cannot hold");
	struct header header = {.summary_bytes = strlen(summary),
	                        .detail_bytes = outcome->detail_bytes,
	                        .wall_s = outcome->wall_s};
	memcpy(header.magic, MAGIC, sizeof header.magic);
	header.checksum = checksum_of(&header, summary, outcome->detail);
	bool ok = fwrite(&header, sizeof header, 1, out) == 1 &&
	          fwrite(summary, 1, header.summary_bytes, out) == header.summary_bytes &&
	          (!header.detail_bytes ||
	           fwrite(outcome->detail, 1, header.detail_bytes, out) == header.detail_bytes);
	free(summary);
	return ok;
}

bool outcome_read(struct outcome *outcome, const char *data, size_t bytes, size_t *used)
{
	struct header header;
	*outcome = (struct outcome){0};
	if (bytes < sizeof header)
		return false;
	memcpy(&header, data, sizeof header);
	size_t left = bytes - sizeof header;
	if (memcmp(header.magic, MAGIC, sizeof header.magic) || header.summary_bytes > left ||
	    header.detail_bytes > left - header.summary_bytes)
		return false;
	const char *summary = data + sizeof header, *detail = summary + header.summary_bytes;
	if (checksum_of(&header, summary, detail) != header.checksum)
		return false;
	outcome->summary = json_loadb(summary, header.summary_bytes, 0, NULL);
	if (!outcome->summary)
		return false;
	if (header.detail_bytes) {
		outcome->detail = memory_zeroed(header.detail_bytes, 1);
		memcpy(outcome->detail, detail, header.detail_bytes);
		outcome->detail_bytes = header.detail_bytes;
	}
	outcome->wall_s = header.wall_s;
	*used = sizeof header + header.summary_bytes + header.detail_bytes;
	return true;
}
