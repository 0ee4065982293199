import FuzzOracles
import Glibc

/// The parser that this run is for: AIRCHECK_FUZZ_TARGET, a name of `FuzzTarget`.
private let target: FuzzTarget = {
    let name = getenv("AIRCHECK_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        fatalError("AIRCHECK_FUZZ_TARGET names no target: \(name)")
    }
    return target
}()

/// What libFuzzer calls for every input. Public, because its `main` has to find it.
@_cdecl("LLVMFuzzerTestOneInput")
public func judgeOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    if let fault = target.fault(in: input) { fatalError(fault) }
    return 0
}
