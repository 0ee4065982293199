internal import CAVLazy
internal import Glibc
internal import MediaHelper
internal import Platform

/// The second executable: decodes, makes sound, measures. It is started by aircheck and has no network of its own.
@main
enum AircheckMedia {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 3, let word = arguments.first, let mode = HelperLaunch.Mode(rawValue: word),
            let count = arguments.last.flatMap(Int32.init), (0...16).contains(count)
        else {
            if arguments.first == "version" { return print("\(HelperBinary.name) \(Product.version)") }
            Log.error("media", "this program is started by \(Product.name) and is of no use alone")
            exit(64)
        }
        // A worker needs FFmpeg in any case, and may have it before it gives up anything.
        if mode == .work { _ = aircheck_av_load() }
        Sandbox.enter(mode, descriptors: count)
        switch mode {
        case .play: exit(PlayMode.run())
        case .work: exit(WorkMode.run())
        case .sinks: exit(SinksMode.run())
        }
    }
}
