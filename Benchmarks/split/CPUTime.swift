import CLinux
import Foundation

/// CPU seconds of this process and of the helpers that it has started.
struct CPUTime {
    var own: Double
    var helper: Double

    static var now: CPUTime {
        CPUTime(own: Double(aircheck_process_cpu_nanoseconds()) / 1e9, helper: children().reduce(0, +))
    }

    static func - (left: CPUTime, right: CPUTime) -> CPUTime {
        CPUTime(own: left.own - right.own, helper: left.helper - right.helper)
    }

    static func += (left: inout CPUTime, right: CPUTime) {
        left.own += right.own
        left.helper += right.helper
    }

    /// Of every process whose parent is this one: fields 4, 14 and 15 of its `stat`, counted behind the name.
    private static func children() -> [Double] {
        let own = String(getpid())
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { Int($0) != nil }.compactMap { name in
            guard let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[end...].split(separator: " ")
            guard fields.count > 14, fields[2] == own, let user = Double(fields[12]),
                let system = Double(fields[13])
            else {
                return nil
            }
            return (user + system) / ticks
        }
    }
}
