internal import Platform
internal import StreamFormats

extension RecordingFacts {
    /// What the tags of a file of this recording say. Chapters are added when their ends are known.
    func tagFields() -> TagFields {
        var tag = TagFields()
        let day = LocalTime.text(started, pattern: "%Y-%m-%d %H:%M")
        tag.add("TIT2", "\(show ?? stationName) \(day)")
        tag.add("TPE1", stationName)
        tag.add("TALB", show ?? stationName)
        tag.add("TCON", genre)
        tag.add("TRSN", stationName)
        tag.add("TDRC", String(LocalTime.iso(started).dropLast()))
        tag.add("TSSE", "aircheck")
        if let homepage, homepage.hasPrefix("http://") || homepage.hasPrefix("https://") {
            tag.add("WORS", homepage)
        }
        tag.add("TXXX:AIRCHECK_ID", id.text)
        return tag
    }

    /// The same for a finished part, with its length and a chapter for every title.
    func tagFields(part index: Int) -> TagFields {
        var tag = tagFields()
        let part = parts[index]
        tag.add("TLEN", String(Int(bounded: (part.seconds * 1000).rounded())))
        tag.chapters = spans(part: index).map { span in
            TagFields.Chapter(start: span.start, end: span.end, title: span.name(stationName))
        }
        return tag
    }

    /// Every title that sounds in a part; they join without a hole from its first second to its last.
    func spans(part index: Int) -> [TitleSpan] {
        let part = parts[index]
        let end = part.startSeconds + part.seconds
        var spans: [TitleSpan] = []
        for (number, title) in titles.enumerated() {
            let next = number + 1 < titles.count ? titles[number + 1].chapterSeconds : end
            let start = max(title.chapterSeconds, part.startSeconds)
            let stop = min(next, end)
            guard stop > start else { continue }
            spans.append(
                TitleSpan(start: start - part.startSeconds, end: stop - part.startSeconds, text: title.text))
        }
        if let first = spans.first, first.start > 0 {
            spans.insert(TitleSpan(start: 0, end: first.start, text: .none), at: 0)
        }
        return spans
    }
}

/// A title and from when to when it sounds in a file.
struct TitleSpan: Sendable, Hashable {
    /// Seconds from the start of the file.
    var start: Double
    var end: Double
    var text: TitleText

    /// A title that says nothing goes under the station's name.
    func name(_ station: String) -> String { text.text.isEmpty ? station : text.text }
}
