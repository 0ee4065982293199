// libmpg123, for MPEG audio frames that our own scanner has accepted.
#ifndef AIRCHECK_CMPG123_H
#define AIRCHECK_CMPG123_H

#include <mpg123.h>

#endif
