import CUchardet

/// libuchardet, one text at a time. Any thread.
enum Detector {
    /// What the library calls the charset of the text, in lower case; nil when it has no idea.
    static func name(of text: [UInt8]) -> String? {
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let taken = text.withUnsafeBytes { bytes in
            uchardet_handle_data(detector, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        guard taken == 0 else { return nil }
        uchardet_data_end(detector)
        guard let name = uchardet_get_charset(detector) else { return nil }
        let text = String(cString: name)
        return text.isEmpty ? nil : text.lowercased()
    }
}
