/* The looks, and the observers in the chain that they need. */
#include "run/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "policy/look/bypass.h"
#include "policy/look/ctas.h"
#include "policy/look/distance.h"
#include "policy/look/lines.h"
#include "policy/look/series.h"
#include "policy/look/shared.h"
#include "run/look_reports.h"

enum { OBSERVERS = 6, KINDS = 12 };

static const struct policy *const observers[OBSERVERS] = {&look_series, &look_lines,    &look_shared,
                                                          &look_bypass, &look_distance, &look_ctas};

struct kind {
	const char *name;
	const struct policy *observer; /* NULL: the counters of the launch suffice */
	json_t *(*report)(const struct look_scene *scene);
	const struct look_field *fields;
};

static const struct kind kinds[KINDS] = {
    {"series", &look_series, look_series_json, look_series_fields},
    {"matrix", &look_lines, look_matrix_json, look_matrix_fields},
    {"locality", &look_lines, look_locality_json, look_locality_fields},
    {"failures", NULL, look_failures_json, look_failures_fields},
    {"reuse", &look_lines, look_reuse_json, look_reuse_fields},
    {"distance", &look_distance, look_distance_json, look_distance_fields},
    {"sms", NULL, look_sms_json, look_sms_fields},
    {"shared", &look_shared, look_shared_json, look_shared_fields},
    {"bypass", &look_bypass, look_bypass_json, look_bypass_fields},
    {"instructions", NULL, look_instructions_json, look_instructions_fields},
    {"channels", NULL, look_channels_json, look_channels_fields},
    {"ctas", &look_ctas, look_ctas_json, look_ctas_fields},
};

struct look {
	bool asked[KINDS];
	struct {
		struct policy policy; /* with the values given as defaults */
		struct policy_param *param;
		uint32_t link; /* in the chain */
		bool needed;
	} observer[OBSERVERS];
	const struct chain *chain;
};

const char *look_name(size_t index)
{
	return index < KINDS ? kinds[index].name : NULL;
}

static uint32_t observer_of(const struct kind *kind)
{
	uint32_t i = 0;
	while (i < OBSERVERS && observers[i] != kind->observer)
		i++;
	return i;
}

/* ---- the text ------------------------------------------------------------------------------------------------ */

static bool set_param(struct look *look, const struct kind *kind, const char *text, struct error *err)
{
	char clip[CLIP_SIZE], *end;
	const char *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : strlen(text);
	uint32_t of = observer_of(kind);
	for (uint32_t i = 0; of < OBSERVERS && i < observers[of]->param_count; i++) {
		struct policy_param *param = &look->observer[of].param[i];
		if (strlen(param->name) != length || strncmp(param->name, text, length))
			continue;
		double value = equals ? strtod(equals + 1, &end) : 0;
		if (!equals || end == equals + 1 || *end || value < param->min || value > param->max ||
		    value != (double)(int64_t)value)
			return error_set(err, "--look: %s takes %s=N with N from %.0f to %.0f %s, found '%s'",
			                 kind->name, param->name, param->min, param->max, param->unit,
			                 clip_text(clip, text));
		param->default_value = value;
		return true;
	}
	return error_set(err, "--look: %s has no parameter '%s'", kind->name, clip_text(clip, text));
}

static bool unknown(const char *name, struct error *err)
{
	char clip[CLIP_SIZE], list[256] = "all";
	struct suggest suggest = suggest_start(name);
	for (uint32_t i = 0; i < KINDS; i++) {
		suggest_offer(&suggest, kinds[i].name);
		size_t used = strlen(list);
		snprintf(list + used, sizeof list - used, ", %s", kinds[i].name);
	}
	if (suggest.best)
		return error_set(err, "--look: unknown '%s'; did you mean '%s'?", clip_text(clip, name),
		                 suggest.best);
	return error_set(err, "--look: unknown '%s'; expected %s", clip_text(clip, name), list);
}

static bool parse_item(struct look *look, char *item, struct error *err)
{
	char *save, *name = strtok_r(item, ":", &save);
	bool all = name && !strcmp(name, "all"), found = false;
	if (!name)
		return unknown("", err);
	for (uint32_t i = 0; i < KINDS; i++) {
		if (!all && strcmp(kinds[i].name, name))
			continue;
		found = look->asked[i] = true;
		if (kinds[i].observer)
			look->observer[observer_of(&kinds[i])].needed = true;
		for (char *text; !all && (text = strtok_r(NULL, ":", &save));)
			if (!set_param(look, &kinds[i], text, err))
				return false;
	}
	return found || unknown(name, err);
}

static bool parse(struct look *look, const char *text, struct error *err)
{
	char *copy = memory_text(text), *save;
	bool good = *text || unknown("", err);
	for (char *item = strtok_r(copy, ",", &save); good && item; item = strtok_r(NULL, ",", &save))
		good = parse_item(look, item, err);
	free(copy);
	return good;
}

/* ---- observers in the chain ----------------------------------------------------------------------------------- */

/* Drop the hooks of events that cannot happen in this chain. */
static void trim(struct policy *policy, const struct policy *base, const struct chain *chain)
{
	if (base == &look_series && !chain->has_aux_cache)
		policy->on_l1_hit = policy->on_l1_miss = NULL;
	if (base == &look_bypass && !chain->has_l1_route && !chain->has_l1_alloc) {
		policy->l1_feedback = NULL;
		policy->on_l1_miss = policy->on_reply = policy->on_l1_fill = NULL;
	}
	if (base == &look_shared && !chain->has_smem_route)
		policy->on_l1_hit = policy->on_l1_pending = policy->on_l1_miss = policy->on_l1_evict = NULL;
}

static bool add_observers(struct look *look, struct chain *chain, struct error *err)
{
	for (uint32_t i = 0; i < KINDS; i++)
		chain->profiles |= look->asked[i] && kinds[i].report == look_instructions_json;
	/* The text of the chain names what is simulated, without observers. */
	char text[sizeof chain->text];
	memcpy(text, chain->text, sizeof text);
	bool good = true;
	for (uint32_t i = 0; i < OBSERVERS && good; i++) {
		if (!look->observer[i].needed)
			continue;
		struct policy *policy = &look->observer[i].policy;
		*policy = *observers[i];
		policy->params = look->observer[i].param;
		trim(policy, observers[i], chain);
		look->observer[i].link = chain->count;
		good = chain_add(chain, policy, err);
		if (!good)
			break;
		chain->watching |= 1u << look->observer[i].link;
		struct chain_link *link = &chain->link[look->observer[i].link];
		link->watches_hits = observers[i] == &look_lines;
		if (observers[i] == &look_series)
			chain->memory_watch = (struct memory_watch){.period = link->policy.epoch_cycles,
			                                            .link = look->observer[i].link,
			                                            .sample = look_memory_sample};
		link->watch_shared = observers[i] == &look_shared ? look_shared_lines : NULL;
	}
	memcpy(chain->text, text, sizeof text);
	return good;
}

struct look *look_new(const char *text, struct chain *chain, struct error *err)
{
	struct look *look = memory_zeroed(1, sizeof *look);
	look->chain = chain;
	for (uint32_t i = 0; i < OBSERVERS; i++) {
		size_t count = observers[i]->param_count;
		look->observer[i].param = memory_zeroed(count + 1, sizeof(struct policy_param));
		if (count)
			memcpy(look->observer[i].param, observers[i]->params,
			       count * sizeof(struct policy_param));
	}
	if (parse(look, text, err) && add_observers(look, chain, err))
		return look;
	look_free(look);
	return NULL;
}

void look_free(struct look *look)
{
	if (!look)
		return;
	for (uint32_t i = 0; i < OBSERVERS; i++)
		free(look->observer[i].param);
	free(look);
}

/* ---- reports --------------------------------------------------------------------------------------------------- */

static json_t *report_kind(const struct look *look, const struct kind *kind, const struct gpu *gpu,
                           struct look_scene *scene, struct sm_view *view)
{
	uint32_t of = observer_of(kind);
	if (of < OBSERVERS) {
		uint32_t link = look->observer[of].link;
		scene->gpu = look->chain->link[link].gpu;
		for (uint32_t i = 0; i < scene->count; i++)
			scene->sm[i] = gpu_policy_block(gpu, link, i, &view[i]);
	}
	return kind->report(scene);
}

json_t *look_report(const struct look *look, const struct gpu *gpu, const struct trace_kernel *kernel,
                    const struct launch_result *result)
{
	uint32_t count = look->chain->machine->sm_count;
	struct sm_view *view = memory_zeroed(count, sizeof *view);
	struct look_scene scene = {.machine = look->chain->machine,
	                           .counters = &result->counters,
	                           .kernel = kernel,
	                           .result = result,
	                           .whole = gpu,
	                           .sm = memory_zeroed(count, sizeof *scene.sm),
	                           .sm_counters = memory_zeroed(count, sizeof *scene.sm_counters),
	                           .view = view,
	                           .count = count};
	json_t *object = json_object();
	for (uint32_t i = 0; i < count; i++)
		scene.sm_counters[i] = gpu_sm_counters(gpu, i);
	for (uint32_t i = 0; i < KINDS; i++)
		if (look->asked[i])
			json_object_set_new(object, kinds[i].name,
			                    report_kind(look, &kinds[i], gpu, &scene, view));
	free(scene.sm);
	free(scene.sm_counters);
	free(view);
	return object;
}

json_t *look_definitions(const struct look *look)
{
	json_t *object = json_object();
	for (uint32_t i = 0; i < KINDS; i++) {
		if (!look->asked[i])
			continue;
		json_t *fields = json_object();
		for (const struct look_field *field = kinds[i].fields; field->name; field++)
			json_object_set_new(
			    fields, field->name,
			    json_pack("{s:s, s:s}", "unit", field->unit, "definition", field->doc));
		json_object_set_new(object, kinds[i].name, fields);
	}
	return object;
}
