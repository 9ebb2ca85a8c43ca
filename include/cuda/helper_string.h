/* Command lines of sample programs: -name, --name and -name=value, any case. */
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, length, from) strcpy(to, from)
#define SPRINTF sprintf
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif

/* Behind the name in the first argument that has it: at "=value" or the end; NULL: no such argument. */
static inline const char *sluice_find_flag(int argc, const char **argv, const char *name)
{
	size_t length = strlen(name);
	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i] + strspn(argv[i], "-");
		if (arg != argv[i] && !strncasecmp(arg, name, length) && (!arg[length] || arg[length] == '='))
			return arg + length;
	}
	return NULL;
}

static inline bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
	return sluice_find_flag(argc, argv, name) != NULL;
}

static inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
	const char *value = sluice_find_flag(argc, argv, name);
	return value && *value ? atoi(value + 1) : 0;
}

static inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
	const char *value = sluice_find_flag(argc, argv, name);
	return value && *value ? (float)atof(value + 1) : 0.0f;
}

static inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **text)
{
	const char *value = sluice_find_flag(argc, argv, name);
	*text = value && *value ? (char *)value + 1 : NULL;
	return *text != NULL;
}

template <class T> inline bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, T *to)
{
	const char *value = sluice_find_flag(argc, argv, name);
	if (value && *value)
		*to = (T)atof(value + 1);
	return value && *value;
}

/* Find the file as named, or in data/ here or next to the program; NULL: nowhere. The caller frees it. */
static inline char *sdkFindFilePath(const char *name, const char *program)
{
	const char *slash = program ? strrchr(program, '/') : NULL;
	int folder = slash ? (int)(slash - program) + 1 : 0;
	for (int i = 0; i < 4; i++) {
		char path[4096];
		snprintf(path, sizeof path, "%.*s%s%s", i & 1 ? folder : 0, program ? program : "",
		         i & 2 ? "data/" : "", name);
		FILE *file = fopen(path, "rb");
		if (!file)
			continue;
		fclose(file);
		return strdup(path);
	}
	return NULL;
}

#endif
