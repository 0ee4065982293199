internal import CLinux
internal import Platform

/// The values of errno that recordings decide by, under names of ours.
enum DiskCode {
    static let exists = EEXIST
    static let missing = ENOENT
    static let busy = EBUSY
    static let tooLarge = EFBIG
    static let noSpace = ENOSPC
    static let cancelled = ECANCELED
    static let invalid = EINVAL
}

extension SystemError {
    /// What to do about it: wait for room, or leave the file.
    var trouble: DiskTrouble {
        switch code {
        case ENOSPC, EDQUOT, ENOMEM, EAGAIN: .full
        default: .broken
        }
    }
}
