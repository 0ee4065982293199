// zlib, for one thing: to squeeze the page's files once, when they are read.
#ifndef AIRCHECK_CZLIB_H
#define AIRCHECK_CZLIB_H

#include <zlib.h>

// `deflateInit2` is a macro, which Swift does not see. 31 is the largest window with a gzip head and tail.
static inline int aircheck_gzip_begin(z_stream *stream) {
    return deflateInit2(stream, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
}

#endif
