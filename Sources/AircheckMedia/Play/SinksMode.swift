internal import Glibc
internal import MediaHelper

/// `aircheck-media sinks`: a line for each sink of the sound server, its name and what people call it with a tab between,
/// then an empty line. Without the empty line no server answered.
enum SinksMode {
    static func run() -> Int32 {
        guard let sinks = SinkProbe.sinks(server: nil) else { return 1 }
        let lines = sinks.map { "\(line($0.name))\t\(line($0.description))\n" }
        let text = Array((lines.joined() + "\n").utf8)
        let sent = text.withUnsafeBytes { write(HelperLaunch.socketNumber, $0.baseAddress, $0.count) }
        return sent == text.count ? 0 : 1
    }

    /// What a sound server says, on one line.
    private static func line(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    }
}
