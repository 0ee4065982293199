internal import CLinux
internal import Glibc

/// One connection of a station, on its own thread, from the first request byte to the close.
struct Connection {
    private let station: ScriptedStation
    private let socket: Int32
    /// The next unit of the programme to be sent.
    private var next = 0
    private var interleaver: IcyInterleaver?
    private var isChunked = false

    init(station: ScriptedStation, socket: Int32) {
        self.station = station
        self.socket = socket
    }

    /// What the next thing to do is after a step.
    private enum Outcome {
        case on, end, nextRequest
    }

    mutating func run() {
        var refusing: Double?
        serving: while let head = readHead() {
            for step in station.steps(forHead: head) {
                if case .refuse(let seconds) = step { refusing = seconds }
                switch perform(step) {
                case .on: continue
                case .end: break serving
                case .nextRequest: continue serving
                }
            }
            break
        }
        station.forget(socket)
        if let refusing { station.refuse(seconds: refusing) }
        close(socket)
    }

    /// The head up to its empty line, or nil when the client went away.
    private func readHead() -> String? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
            var byte: UInt8 = 0
            let count = recv(socket, &byte, 1, 0)
            if count == 1 {
                head.append(byte)
            } else if count == 0 || head.count > 65_536 || errno != EAGAIN {
                return nil
            } else {
                var waited = [
                    pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: station.stopSignal, events: Int16(POLLIN), revents: 0),
                ]
                _ = poll(&waited, 2, 1000)
                if waited[1].revents != 0 { return nil }
            }
        }
        return String(decoding: head, as: UTF8.self)
    }

    private mutating func perform(_ step: Step) -> Outcome {
        switch step {
        case .bytes(let bytes): return send(bytes)
        case .chunked: isChunked = true
        case .icy(let interval): interleaver = IcyInterleaver(interval: interval)
        case .join(let unit): next = unit
        case .skip(let units): next += units
        case .burst(let seconds): return burst(seconds)
        case .play(let seconds): return play(units: station.programme.units(inSeconds: seconds))
        case .playUnits(let units): return play(units: units)
        case .push(let units): return push(units)
        case .junk(let bytes): return sendAudio(bytes)
        case .partialUnit(let count):
            let unit = station.programme.source.unit(next)
            next += 1
            return sendAudio(Array(unit.prefix(count)))
        case .block(let text): return send(IcyInterleaver.coded(text))
        case .stall(let seconds):
            return station.pause(seconds / station.programme.speed, watching: socket) ? .on : .end
        case .close, .refuse: return .end
        case .reset:
            LoopbackSocket.reset(socket)
            return .end
        case .nextRequest: return .nextRequest
        }
        return .on
    }

    // MARK: The programme

    private mutating func burst(_ seconds: Double) -> Outcome {
        let live = station.liveUnit
        next = max(0, live - station.programme.units(inSeconds: seconds))
        let preamble = station.programme.source.preamble(joiningAt: next)
        if !preamble.isEmpty, case .end = sendAudio(preamble) { return .end }
        return push(live - next)
    }

    /// Units that are on air by now, until so many have been sent.
    private mutating func play(units: Int) -> Outcome {
        let end = next + units
        let programme = station.programme
        // Finer than a frame, so that hardly anything is on air that has not been sent.
        let tick = max(0.025 / programme.speed, 0.01)
        while next < end {
            let ready = min(station.liveUnit, end) - next
            if ready > 0, case .end = push(ready) { return .end }
            if next < end, !station.pause(tick, watching: socket) { return .end }
        }
        return .on
    }

    private mutating func push(_ units: Int) -> Outcome {
        guard units > 0 else { return .on }
        let source = station.programme.source
        var out: [UInt8] = []
        for number in next..<(next + units) {
            next = number + 1
            out += interleaved(source.unit(number), at: number)
            if out.count > 1 << 16 {
                if case .end = send(out) { return .end }
                out = []
            }
        }
        return send(out)
    }

    private mutating func sendAudio(_ bytes: [UInt8]) -> Outcome { send(interleaved(bytes, at: next)) }

    private mutating func interleaved(_ bytes: [UInt8], at unit: Int) -> [UInt8] {
        let block = station.programme.block(at: unit)
        return interleaver?.pass(bytes, block: block) ?? bytes
    }

    // MARK: Sending

    private func send(_ bytes: [UInt8]) -> Outcome {
        guard isChunked, !bytes.isEmpty else { return sendRaw(bytes) }
        return sendRaw(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
    }

    private func sendRaw(_ bytes: [UInt8]) -> Outcome {
        var offset = 0
        while offset < bytes.count {
            let sent = bytes.withUnsafeBytes { buffer -> Int in
                guard let base = buffer.baseAddress else { return 0 }
                return CLinux.send(socket, base + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
            if sent > 0 {
                offset += sent
            } else if errno != EAGAIN && errno != EINTR {
                return .end
            } else if !waitWritable() {
                return .end
            }
        }
        return .on
    }

    private func waitWritable() -> Bool {
        var waited = [
            pollfd(fd: socket, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: station.stopSignal, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&waited, 2, 1000)
        return waited[1].revents == 0
    }
}

/// Puts a metadata block after every `interval` bytes of audio: the title where it has changed, else an empty one.
struct IcyInterleaver {
    private let interval: Int
    private var left: Int
    private var said: [UInt8]?

    init(interval: Int) {
        self.interval = interval
        left = interval
    }

    mutating func pass(_ bytes: [UInt8], block: [UInt8]?) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + 64)
        var rest = bytes[...]
        while rest.count >= left {
            out += rest.prefix(left)
            rest = rest.dropFirst(left)
            left = interval
            if let block, block != said {
                out += Self.coded(block)
                said = block
            } else {
                out.append(0)
            }
        }
        out += rest
        left -= rest.count
        return out
    }

    /// The length byte, the text, and zeros up to a multiple of 16; at most 4080 bytes of text.
    static func coded(_ text: [UInt8]) -> [UInt8] {
        let kept = text.prefix(4080)
        let units = (kept.count + 15) / 16
        return [UInt8(units)] + kept + [UInt8](repeating: 0, count: units * 16 - kept.count)
    }
}
