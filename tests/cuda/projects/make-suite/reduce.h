#ifdef __cplusplus
extern "C"
#endif
    float
    reduce(const float *values, int count);
