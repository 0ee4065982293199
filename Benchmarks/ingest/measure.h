// What a process used and holds, printed alike by every contender in C.
#ifndef INGEST_MEASURE_H
#define INGEST_MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static inline int64_t clock_nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
static inline int64_t wall_nanoseconds(void) { return clock_nanoseconds(CLOCK_MONOTONIC); }
static inline int64_t cpu_nanoseconds(void) { return clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

/// Kibibytes that are this process's own.
static inline long anonymous_kib(void) {
    char line[256];
    long found = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) sscanf(line, "RssAnon: %ld", &found);
    if (status) fclose(status);
    return found;
}

static inline void print_row(int streams, int64_t cpu, int64_t wall, long long bytes) {
    printf("{\"us_per_stream_second\": %.2f, \"kbps_per_stream\": %.2f, \"anon_kib\": %ld}\n",
        (double)cpu / 1e3 / streams / ((double)wall / 1e9), (double)bytes * 8e6 / (double)wall / streams, anonymous_kib());
}

#endif
