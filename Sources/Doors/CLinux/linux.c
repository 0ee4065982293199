#define _GNU_SOURCE
#include "include/CLinux.h"

#include <sys/mman.h>

int aircheck_accept(int listener, struct sockaddr_storage *peer, socklen_t *peer_length) {
    return accept4(listener, (struct sockaddr *)peer, peer_length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void aircheck_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int aircheck_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int aircheck_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int64_t aircheck_process_cpu_nanoseconds(void) {
    struct timespec used;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return 0;
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}
