/*
 * DWT-PRIC (Khairy 2015, section 5.4, figure 5.14): PRIC at every access; core
 * sampling if the first periods of a kernel all thrash; DBSA on L1 and L2 from
 * then on. The order of the parts matters: dwt-cs-first keeps DBSA quiet until
 * it has settled.
 */
#include "policy/policy.h"

/* Those that the parts share; each part's own are given to the part: pric,dwt-cs-first:detect=5,dbsa-l1,dbsa-l2. */
const struct policy policy_dwt_pric = {
    .abi = POLICY_ABI,
    .name = "dwt-pric",
    .title = "PRIC, core sampling of the first periods, then DBSA",
    .citation =
        "M. Khairy: Efficient Utilization of GPGPU Cache Hierarchy, MSc thesis, Cairo University 2015, "
        "section 5.4",
    .bundle = "pric,dwt-cs-first,dbsa-l1,dbsa-l2",
};
