internal import Platform

/// Chapters as comments of Vorbis and Opus: `CHAPTER001=00:03:12.500` and `CHAPTER001NAME=Title`.
enum OggChapters {
    /// Three digits count them.
    private static let most = 999

    static func comments(_ chapters: some Collection<TagFields.Chapter>) -> [(name: String, value: String)] {
        chapters.prefix(most).enumerated().flatMap { index, chapter in
            let number = padded(index + 1, 3)
            return [("CHAPTER\(number)", time(chapter.start)), ("CHAPTER\(number)NAME", chapter.title)]
        }
    }

    private static func time(_ seconds: Double) -> String {
        let thousandths = Int(bounded: (seconds * 1000).rounded())
        let whole = thousandths / 1000
        return [padded(whole / 3600, 2), padded(whole / 60 % 60, 2), padded(whole % 60, 2)].joined(
            separator: ":")
            + "." + padded(thousandths % 1000, 3)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
