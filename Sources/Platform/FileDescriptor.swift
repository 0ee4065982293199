internal import CLinux
internal import Glibc

/// One open descriptor. It is closed exactly once: when its owner lets go.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number the kernel knows it by.
    package let number: Int32

    /// Takes over `number`; nobody else may close it from now on.
    package init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    /// Gives the descriptor up without closing it.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}

/// What the kernel said no with, and to what.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The value of errno.
    package var code: Int32
    /// What was attempted, as a person would say it: `opening /srv/radio`.
    package var attempt: String

    package init(code: Int32, while attempt: String) {
        self.code = code
        self.attempt = attempt
    }

    /// Reads errno, which the failed call has just set.
    package init(while attempt: String) { self.init(code: errno, while: attempt) }

    /// The kernel's own word for the code: `No space left on device`.
    package var reason: String { String(cString: strerror(code)) }

    package var description: String { "\(attempt): \(reason)" }
}
