#define _GNU_SOURCE
#include "include/CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

void aircheck_close_from(int first) { close_range((unsigned)first, ~0U, 0); }

int aircheck_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int aircheck_signal_when_parent_dies(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

static void limit(int resource, uint64_t value) {
    struct rlimit limits = {value, value};
    setrlimit(resource, &limits);
}

void aircheck_limit(uint64_t files, uint64_t address_space, uint64_t cpu_seconds) {
    limit(RLIMIT_CORE, 0);
    if (files) limit(RLIMIT_NOFILE, files);
    if (address_space) limit(RLIMIT_AS, address_space);
    if (cpu_seconds) limit(RLIMIT_CPU, cpu_seconds);
}

#ifdef OUR_ARCHITECTURE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define DENY BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
// If the call is `number`, deny it.
#define NEVER(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), DENY

int aircheck_filter_calls(int may_use_unix_sockets, int may_open_for_writing) {
    // An impossible family and an impossible flag turn the two permissions off.
    const unsigned family = may_use_unix_sockets ? AF_UNIX : ~0U;
    const unsigned write_flags = may_open_for_writing ? 0 : O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    struct sock_filter program[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        // socket(family, ...): only the family that is allowed.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, family, 1, 0),
        DENY,
        ALLOW,
        // openat(dir, path, flags, ...): not for writing.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 4),
        LOAD(args[2]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, write_flags, 0, 1),
        DENY,
        ALLOW,
#ifdef __NR_open
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_open, 0, 4),
        LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, write_flags, 0, 1),
        DENY,
        ALLOW,
#endif
#ifdef __NR_creat
        NEVER(__NR_creat),
#endif
        NEVER(__NR_openat2),
        NEVER(__NR_bind),
        NEVER(__NR_listen),
        NEVER(__NR_accept),
        NEVER(__NR_accept4),
        NEVER(__NR_execve),
        NEVER(__NR_execveat),
        NEVER(__NR_ptrace),
        NEVER(__NR_process_vm_readv),
        NEVER(__NR_process_vm_writev),
        NEVER(__NR_io_uring_setup),
        NEVER(__NR_bpf),
        NEVER(__NR_mount),
        NEVER(__NR_open_by_handle_at),
        ALLOW,
    };
    struct sock_fprog filter = {sizeof program / sizeof *program, program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

#else

int aircheck_filter_calls(int may_use_unix_sockets, int may_open_for_writing) {
    (void)may_use_unix_sockets;
    (void)may_open_for_writing;
    errno = ENOSYS;
    return -1;
}

#endif
