package import Glibc

/// What a child process does not inherit from us.
package enum ChildAttributes {
    /// Lends attributes for `posix_spawn`: signals as they are by default, because what we ignore or block is our business
    /// alone.
    /// - Parameter ownGroup: the child leads a group of its own, so that Ctrl-C at the terminal ends us and not it, and
    ///   its children can be ended with it.
    package static func lend<Result>(
        ownGroup: Bool, _ body: (UnsafePointer<posix_spawnattr_t>) -> Result
    ) -> Result {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (ownGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return body(&attributes)
    }
}
