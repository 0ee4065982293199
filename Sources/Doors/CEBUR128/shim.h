// libebur128: loudness after EBU R128.
#ifndef AIRCHECK_CEBUR128_H
#define AIRCHECK_CEBUR128_H

#include <ebur128.h>

#endif
