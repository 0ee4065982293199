// What the media helper gives up before it reads a stranger's byte.
#ifndef AIRCHECK_CSANDBOX_H
#define AIRCHECK_CSANDBOX_H

#include <stdint.h>

/// Closes every descriptor from this one up.
void aircheck_close_from(int first);
/// No set-user-id program gives this process or its children anything any more.
int aircheck_no_new_privileges(void);
/// The kernel sends this signal when the thread that started us has ended.
int aircheck_signal_when_parent_dies(int signal);
/// Limits: no core file, so many descriptors, bytes of address space, seconds of CPU. 0 leaves a limit as it is.
void aircheck_limit(uint64_t files, uint64_t address_space, uint64_t cpu_seconds);
/// A seccomp filter over all threads to come: no sockets (but unix ones, where allowed), no programs, no tracing, and,
/// unless it may write, no file opened for writing. 0, or -1 and errno where the kernel has no such filter.
int aircheck_filter_calls(int may_use_unix_sockets, int may_open_for_writing);

#endif
