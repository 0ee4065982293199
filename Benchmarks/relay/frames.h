// The benchmark's stream: MP3 frames that carry their number and the moment they were made, so that every listener can
// tell what was lost, doubled, altered or late.
//
// MPEG-1 layer III, 128 kbit/s, 48 kHz: 384 bytes, 24 ms, 16,000 bytes a second exactly. A side information of zeros
// codes silence; what follows is ancillary data without a byte 0xFF, so that no false sync word is inside.
#ifndef RELAY_FRAMES_H
#define RELAY_FRAMES_H

#include <stdint.h>
#include <string.h>
#include <time.h>

enum { FRAME_BYTES = 384, FRAME_NUMBER_AT = 40, FRAME_TIME_AT = 56, FRAME_FILL_AT = 72 };
static const int64_t FRAME_NANOSECONDS = 24000000;
static const double BYTES_PER_SECOND = 16000;

static inline int64_t now_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void frame_put_hex(uint8_t *at, uint64_t value) {
    for (int digit = 15; digit >= 0; digit--, value >>= 4) at[digit] = "0123456789abcdef"[value & 15];
}

/// The value of 16 hexadecimal digits; -1 when they are none.
static inline int64_t frame_hex(const uint8_t *at) {
    uint64_t value = 0;
    for (int digit = 0; digit < 16; digit++) {
        uint8_t c = at[digit];
        if (c >= '0' && c <= '9') value = value << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f') value = value << 4 | (uint64_t)(c - 'a' + 10);
        else return -1;
    }
    return (int64_t)value;
}

static inline void frame_make(uint8_t *frame, int64_t number, int64_t made) {
    static const uint8_t header[4] = {0xFF, 0xFB, 0x94, 0x64};
    memset(frame, 0, FRAME_NUMBER_AT);
    memcpy(frame, header, sizeof header);
    frame_put_hex(frame + FRAME_NUMBER_AT, (uint64_t)number);
    frame_put_hex(frame + FRAME_TIME_AT, (uint64_t)made);
    for (int i = FRAME_FILL_AT; i < FRAME_BYTES; i++) frame[i] = (uint8_t)((i * 7 + number * 13) & 0x7F);
}

static inline int frame_begins(const uint8_t *bytes) {
    return bytes[0] == 0xFF && bytes[1] == 0xFB && bytes[2] == 0x94 && bytes[3] == 0x64;
}

#endif
