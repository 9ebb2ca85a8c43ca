/* Volumes in files. */
#include <stdio.h>

int total;

int write_volume(name, data)
char *name;
float *data;
{
	FILE *file = fopen(name, "wb");
	if (file == NULL || fwrite(data, sizeof(float), total, file) != total)
		return 1;
	return fclose(file);
}

int read_volume(name, data)
char *name;
float *data;
{
	FILE *file = fopen(name, "rb");
	if (file == NULL || fread(data, sizeof(float), total, file) != total)
		return 1;
	return fclose(file);
}
