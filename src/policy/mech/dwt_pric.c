/*
 * DWT-PRIC (Khairy 2015, section 5.4, figure 5.14): PRIC at every access; core
 * sampling if a kernel thrashes; else, and then, DBSA on L1 and L2. The order of
 * the parts matters: dwt-cs-hold keeps DBSA quiet while the kernel may thrash.
 */
#include "policy/policy.h"

/* Those that the parts share; each part's own are given to the part: pric,dwt-cs-hold:detect=5,dbsa-l1,dbsa-l2. */
const struct policy policy_dwt_pric = {
    .abi = POLICY_ABI,
    .name = "dwt-pric",
    .title = "PRIC, core sampling if the kernel thrashes, then DBSA",
    .citation =
        "M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University 2015, "
        "section 5.4",
    .bundle = "pric,dwt-cs-hold,dbsa-l1,dbsa-l2",
};
