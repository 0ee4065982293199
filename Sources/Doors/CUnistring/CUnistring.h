// libunistring, for composed forms of Unicode (UAX #15). libcurl loads it anyway.
#ifndef AIRCHECK_CUNISTRING_H
#define AIRCHECK_CUNISTRING_H

#include <stdlib.h>
#include <uninorm.h>

/// The composed form (NFC) of `length` bytes of UTF-8, which the caller frees; NULL where there is no memory or no UTF-8.
static inline uint8_t *aircheck_composed(const uint8_t *text, size_t length, size_t *result_length) {
    return u8_normalize(UNINORM_NFC, text, length, NULL, result_length);
}

#endif
