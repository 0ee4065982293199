internal import Platform

/// A command line that has been read against the command's table.
package struct Invocation: Sendable {
    package let command: CommandSpec
    package private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    package var json: Bool { has("json") }
    package var quiet: Bool { has("quiet") }
    /// How often `-v` was given.
    package var verbosity: Int { values["verbose"]?.count ?? 0 }

    package func has(_ option: String) -> Bool { values[option] != nil }

    /// The value given last, as it was typed.
    package func text(_ option: String) -> String? { values[option]?.last }

    package func texts(_ option: String) -> [String] { values[option] ?? [] }

    /// The n-th operand; its presence was checked when the line was read, except for optional ones.
    package func operand(_ index: Int) -> String? { index < operands.count ? operands[index] : nil }

    /// The n-th operand, which the table says is there.
    package func required(_ index: Int) throws -> String {
        guard let text = operand(index) else { throw usage("something is missing") }
        return text
    }

    /// Seconds of a duration such as `90`, `30s`, `1h30m`.
    package func duration(_ option: String) throws -> Double? {
        guard let text = text(option) else { return nil }
        guard let seconds = DurationText.seconds(text) else {
            throw usage("--\(option) \(text): not a duration; write 90s, 30m or 1h30m")
        }
        return seconds
    }

    package func integer(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = text(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw usage(
                "--\(option) \(text): write a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A failure that names the command and points at its help.
    package func usage(_ message: String) -> CommandFailure {
        CommandFailure(
            .usage, message,
            remedy: "usage: \(command.usage)\n  `aircheck \(command.name) --help` explains each option.")
    }

    /// Reads the words after the command's name.
    /// - Throws: `CommandFailure` with `.usage`, naming the word that is wrong.
    package init(_ command: CommandSpec, _ arguments: some Sequence<String>) throws {
        self.command = command
        var rest = Array(arguments)[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            // No option is a digit: `-10` and `-15s` are changes by so much.
            let isNumber = word.hasPrefix("-") && word.dropFirst().first?.isNumber == true
            if onlyOperands || word == "-" || isNumber || !word.hasPrefix("-") {
                operands.append(word)
            } else if word == "--" {
                onlyOperands = true
            } else if word.hasPrefix("--") {
                try readLong(word.dropFirst(2), &rest)
            } else {
                try readShort(word.dropFirst(), &rest)
            }
        }
        if !has("help") { try checkOperands() }
    }

    private mutating func readLong(_ word: Substring, _ rest: inout ArraySlice<String>) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        guard let option = options.first(where: { $0.long == name }) else {
            throw usage("\(command.name) has no option --\(name)" + suggestion(for: name))
        }
        if option.value == nil {
            if parts.count > 1 { throw usage("--\(name) takes no value") }
            values[name, default: []].append("")
        } else if parts.count > 1 {
            values[name, default: []].append(String(parts[1]))
        } else if let value = rest.popFirst() {
            values[name, default: []].append(value)
        } else {
            throw usage("--\(name) needs a value: \(option.synopsis)")
        }
    }

    private mutating func readShort(_ letters: Substring, _ rest: inout ArraySlice<String>) throws {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw usage("\(command.name) has no option -\(letter)")
            }
            guard option.value != nil else {
                values[option.long, default: []].append("")
                continue
            }
            guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                throw usage("-\(letter) needs a value: \(option.synopsis)")
            }
            values[option.long, default: []].append(value)
            return
        }
    }

    private var options: [CommandSpec.Option] { command.options + CommandSpec.Option.common }

    private func checkOperands() throws {
        let needed = command.operands.count { !$0.isOptional }
        if operands.count < needed {
            throw usage("\(command.name) needs \(command.operands[operands.count].name)")
        }
        let unlimited = command.operands.last?.repeats ?? false
        if !unlimited, operands.count > command.operands.count {
            throw usage(
                "\(command.name) does not know what to do with \"\(operands[command.operands.count])\"")
        }
    }

    private func suggestion(for name: String) -> String {
        guard let near = Nearest.word(to: name, among: options.map(\.long)) else { return "" }
        return "; did you mean --\(near)?"
    }
}
