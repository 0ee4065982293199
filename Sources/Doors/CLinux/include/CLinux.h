// The Linux calls that Swift's Glibc module hides, and those that want _GNU_SOURCE.
//
// No header that Swift imports may define _GNU_SOURCE: Clang modules would then disagree about libc's types.
// GNU-only calls are wrapped in linux.c, behind plain prototypes.
#ifndef AIRCHECK_CLINUX_H
#define AIRCHECK_CLINUX_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/// accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC; -1 and errno as accept(2).
int aircheck_accept(int listener, struct sockaddr_storage *peer, socklen_t *peer_length);
/// Names the calling thread (at most 15 bytes) so that top and gdb show it.
void aircheck_name_thread(const char *name);
/// pipe2 with O_CLOEXEC; 0 or -1 and errno.
int aircheck_pipe(int ends[2]);
/// Who connected to a unix socket (SO_PEERCRED); 0 or -1 and errno.
int aircheck_peer_credentials(int socket, int32_t *process, uint32_t *user, uint32_t *group);
/// memfd_create with MFD_CLOEXEC; a descriptor or -1 and errno.
int aircheck_memfd(const char *name);
/// Columns of the terminal behind a descriptor; 0 where there is none.
int aircheck_terminal_columns(int descriptor);
/// 1 where a read from a descriptor would not wait, 0 where it would.
int aircheck_is_readable(int descriptor);
/// Begins to write what a file holds in memory to its disk, and does not wait for it; -1 and errno where it cannot.
int aircheck_begin_writeback(int descriptor);
/// User plus system CPU time of the calling process, in nanoseconds.
int64_t aircheck_process_cpu_nanoseconds(void);
/// Maps one anonymous file of `bytes` (a multiple of the page size) twice, back to back, so that a run of up to `bytes`
/// that starts anywhere in the first half lies in one piece. NULL and errno when the kernel refuses.
void *aircheck_map_ring(size_t bytes);
/// Undoes aircheck_map_ring.
void aircheck_unmap_ring(void *base, size_t bytes);

/// Asks the name service for SRV records; bytes of its answer, or -1. Blocks for as long as the resolver waits.
int aircheck_service_records(const char *name, unsigned char *answer, int size);
/// Lets the calling thread run before others of the machine, as far as this user may ask for that.
void aircheck_favour_thread(void);

/// From now on what is at least so many bytes long gets pages of its own and gives them back when it is freed, and the heaps
/// keep so many bytes for what comes next. For the whole process.
void aircheck_large_pieces_apart(long bytes, long spare);
/// Renames, from one folder to another or the same, and fails with EEXIST rather than replace anything; 0 or -1 and errno.
int aircheck_rename_new(int from, const char *old_name, int to, const char *new_name);

#endif
