#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kmeans.h"

int parse_options(int argc, char **argv, struct options *options)
{
	int c;
	while ((c = getopt(argc, argv, "n:f:k:i:")) != -1) {
		switch (c) {
		case 'n':
			options->points = atoi(optarg);
			break;
		case 'f':
			options->features = atoi(optarg);
			break;
		case 'k':
			options->clusters = atoi(optarg);
			break;
		case 'i':
			options->iterations = atoi(optarg);
			break;
		default:
			fprintf(stderr, "usage: %s [-n points] [-f features] [-k clusters] [-i iterations]\n",
			        argv[0]);
			return 1;
		}
	}
	return options->features > MAX_FEATURES || options->clusters > MAX_CLUSTERS;
}
