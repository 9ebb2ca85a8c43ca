/* Relocatable device code: modules of a program that use one another's functions and variables. */
#ifndef SLUICE_CUDART_MODULE_LINK_H
#define SLUICE_CUDART_MODULE_LINK_H

#include "cudart/registry.h"

/*
 * Before a module is loaded: if it needs others that were compiled in, or they need it, all of them get one text, its
 * `linked`, and the others have it as their `leader`. False: err says why they do not go together.
 */
bool module_link(struct registry *registry, struct module *module, struct error *err);

/* The function or variable of a symbol in its loaded module, where linking may have given it another name; PTX_NONE. */
uint32_t module_find(const struct symbol *symbol,
                     uint32_t (*find)(const struct ptx_module *module, const char *name));

#endif
