#ifdef __cplusplus
extern "C"
#endif
    __attribute__((visibility("default"))) int
    blur(float *values, int count);
