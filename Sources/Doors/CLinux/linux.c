#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include "include/CLinux.h"

#include <netinet/in.h>
#include <resolv.h>
#include <stdio.h>
#include <sys/mman.h>

int aircheck_accept(int listener, struct sockaddr_storage *peer, socklen_t *peer_length) {
    return accept4(listener, (struct sockaddr *)peer, peer_length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void aircheck_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int aircheck_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int aircheck_peer_credentials(int socket, int32_t *process, uint32_t *user, uint32_t *group) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    *process = peer.pid;
    *user = peer.uid;
    *group = peer.gid;
    return 0;
}

int aircheck_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int aircheck_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int aircheck_is_readable(int descriptor) {
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    return poll(&one, 1, 0) > 0;
}

int aircheck_begin_writeback(int descriptor) { return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE); }

int64_t aircheck_process_cpu_nanoseconds(void) {
    struct timespec used;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return 0;
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

void *aircheck_map_ring(size_t bytes) {
    int file = memfd_create("aircheck-ring", MFD_CLOEXEC);
    if (file < 0) return NULL;
    char *base = NULL;
    if (ftruncate(file, (off_t)bytes) == 0) {
        base = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (base == MAP_FAILED) base = NULL;
    }
    for (int half = 0; base != NULL && half < 2; half++) {
        void *at = base + half * bytes;
        if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
            munmap(base, 2 * bytes);
            base = NULL;
        }
    }
    int why = errno;
    close(file);
    errno = why;
    return base;
}

void aircheck_unmap_ring(void *base, size_t bytes) { munmap(base, 2 * bytes); }

int aircheck_rename_new(int from, const char *old_name, int to, const char *new_name) {
    if (renameat2(from, old_name, to, new_name, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    // A file system that does not know the flag (NFS, FAT over FUSE): look first. Nobody else writes here.
    struct stat facts;
    if (fstatat(to, new_name, &facts, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return -1;
    }
    return renameat(from, old_name, to, new_name);
}

void aircheck_large_pieces_apart(long bytes, long spare) {
    // Setting either ends glibc's habit of raising the first one by what is freed.
    (void)mallopt(M_MMAP_THRESHOLD, (int)bytes);
    (void)mallopt(M_TRIM_THRESHOLD, (int)spare);
}

void aircheck_favour_thread(void) {
    // On Linux a process id of 0 is the calling thread. Without the right to, nothing changes, and that is fine.
    (void)setpriority(PRIO_PROCESS, 0, -10);
}

int aircheck_service_records(const char *name, unsigned char *answer, int size)
{
    // 1 is the internet, 33 is SRV.
    int length = res_query(name, 1, 33, answer, size);
    return length > size ? size : length;
}
