/* What the options of `sluice cc` do to the order: the entries of the table in cc/options.c. */
#ifndef SLUICE_CC_ACTIONS_H
#define SLUICE_CC_ACTIONS_H

#include "cc/cc.h"

/* An option as it was given. */
struct cc_given {
	const char *name;  /* its first name */
	const char *value; /* NULL: a flag */
	int number;        /* of the table */
	void *where;       /* the field that the table names */
};
typedef bool cc_action(struct cc_order *order, const struct cc_given *given, struct error *err);

cc_action cc_ignore, cc_refuse, cc_set_binary;
cc_action cc_set_flag, cc_set_text, cc_set_stage, cc_set_language, cc_set_optimize, cc_set_registers;
cc_action cc_set_dependencies, cc_write_dependencies, cc_name_dependencies;
/* To one list of words: the name; name and value as one word, as two. */
cc_action cc_pass, cc_pass_joined, cc_pass_value;
/* To everything that makes host code. */
cc_action cc_pass_host, cc_pass_host_value, cc_add_host_options;
cc_action cc_add_include, cc_add_link, cc_add_library, cc_add_library_folder, cc_add_linker_options;
cc_action cc_add_architecture, cc_check_machine, cc_check_bool, cc_set_relocatable, cc_set_default_stream;
cc_action cc_set_flush, cc_set_division, cc_set_contraction;

bool cc_add_unknown_host_option(struct cc_order *order, const char *arg, struct error *err);
void cc_add_item(struct cc_order *order, const char *text, bool is_input);

#endif
