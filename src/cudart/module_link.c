/* Relocatable device code, see module_link.h. What is loaded already, or given as text, stays alone. */
#include "cudart/module_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ptx/link.h"

static bool takes_part(const struct module *module)
{
	return module->text && !module->owned && !module->is_gone && !module->loaded && !module->failure &&
	       !module->leader && !module->linked;
}

struct parts {
	struct module **modules;
	struct ptx_link_input *input;
	unsigned *group;
	unsigned count;
};

static void add_part(struct parts *p, struct module *module)
{
	p->modules[p->count] = module;
	p->input[p->count++] = (struct ptx_link_input){module->text, module->number};
}

/* Those that need none are the most: a look is enough. */
static bool has_extern(const struct parts *p)
{
	for (unsigned i = 0; i < p->count; i++)
		if (strstr(p->input[i].text, "\n.extern ."))
			return true;
	return false;
}

/* Leaves the members of the module's group, in the order of registration. */
static void keep_group(struct parts *p, const struct module *module)
{
	unsigned own = 0, kept = 0;
	ptx_link_groups(p->input, p->count, p->group);
	for (unsigned i = 0; i < p->count; i++)
		if (p->modules[i] == module)
			own = p->group[i];
	for (unsigned i = 0; i < p->count; i++) {
		if (p->group[i] != own)
			continue;
		p->modules[kept] = p->modules[i];
		p->input[kept++] = p->input[i];
	}
	p->count = kept;
}

static bool link_parts(struct parts *p, struct module *module, struct error *err)
{
	if (p->count < 2 || !has_extern(p))
		return true;
	keep_group(p, module);
	if (p->count < 2)
		return true;
	module->linked = ptx_link(p->input, p->count, err);
	for (unsigned i = 0; i < p->count; i++)
		if (p->modules[i] != module)
			p->modules[i]->leader = module;
	return module->linked != NULL;
}

bool module_link(struct registry *registry, struct module *module, struct error *err)
{
	if (!takes_part(module))
		return true;
	size_t room = registry->module_count + 1;
	struct parts p = {.modules = memory_zeroed(room, sizeof *p.modules),
	                  .input = memory_zeroed(room, sizeof *p.input),
	                  .group = memory_zeroed(room, sizeof *p.group)};
	for (unsigned i = 0; i < registry->module_count; i++)
		if (takes_part(registry->modules[i]))
			add_part(&p, registry->modules[i]);
	bool ok = link_parts(&p, module, err);
	free(p.modules);
	free(p.input);
	free(p.group);
	return ok;
}

uint32_t module_find(const struct symbol *symbol,
                     uint32_t (*find)(const struct ptx_module *module, const char *name))
{
	const struct module *module = symbol->module;
	const struct ptx_module *ptx = module->loaded->ptx;
	uint32_t found = PTX_NONE;
	if (module->leader || module->linked) {
		size_t bytes = strlen(symbol->name) + 16;
		char *own = memory_zeroed(bytes, 1);
		snprintf(own, bytes, "%s$%u", symbol->name, module->number);
		found = find(ptx, own);
		free(own);
	}
	return found != PTX_NONE ? found : find(ptx, symbol->name);
}
