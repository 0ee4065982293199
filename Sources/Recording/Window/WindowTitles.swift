internal import Feed
internal import StreamFormats

/// Finds the titles in a file of a window without reading its audio.
enum WindowTitles {
    static func read(_ name: String, in folder: any DiskFolder) -> [TitleMark] {
        guard let file = try? folder.open(name, forWriting: false) else { return [] }
        var found: [TitleMark] = []
        var place: Int64 = 0
        while let head = try? file.read(WindowRecord.headLength, at: place),
            let length = WindowRecord.bodyLength(head[...])
        {
            let body = place + Int64(WindowRecord.headLength)
            if WindowRecord.isTitle(head), let bytes = try? file.read(length, at: body), bytes.count == length
            {
                var format: AudioFormat?
                if case .title(let mark)? = WindowRecord.event(head[0], bytes[...], format: &format) {
                    found.append(mark)
                }
            }
            place = body + Int64(length)
        }
        return found
    }
}
