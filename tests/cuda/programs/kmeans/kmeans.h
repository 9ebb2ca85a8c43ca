#ifndef KMEANS_H
#define KMEANS_H

#define MAX_CLUSTERS 16
#define MAX_FEATURES 16

struct options {
	int points, features, clusters, iterations;
};

#ifdef __cplusplus
extern "C" {
#endif
int parse_options(int argc, char **argv, struct options *options);
void cluster_setup(const float *points, const struct options *options);
int cluster_assign(const float *centers, int *membership, const struct options *options);
void cluster_finish(void);
#ifdef __cplusplus
}
#endif

#endif
