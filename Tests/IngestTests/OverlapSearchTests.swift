import Testing

@testable import Ingest

/// Pushes frames until the search has an answer that ends it.
private func search(_ new: [UInt32], held: [UInt32]) -> (answer: OverlapSearch.Answer, after: Int) {
    var search = OverlapSearch(held: held)
    for (index, hash) in new.enumerated() {
        switch search.push(hash) {
        case .undecided, .old: continue
        case let answer: return (answer, index + 1)
        }
    }
    return (.undecided, new.count)
}

private func frames(_ range: ClosedRange<UInt32>) -> [UInt32] { range.map { $0 &* 0x9E37_79B9 } }

/// Digital silence in one or several frames.
private func silence(_ count: Int, kinds: UInt32 = 1) -> [UInt32] {
    (0..<count).map { 5 + UInt32($0) % kinds }
}

@Suite("Overlap search")
struct OverlapSearchTests {
    @Test("frames go on exactly behind the overlap", arguments: [1, 2, 3, 4, 5, 40, 400])
    func plainOverlap(length: Int) {
        let held = frames(1...500)
        let new = Array(held.suffix(length)) + frames(501...520)
        #expect(search(new, held: held).answer == .joined(at: length))
    }

    @Test("nothing held, or nothing in common, parts at the first frame")
    func noOverlap() {
        #expect(search(frames(1...3), held: []).answer == .parted(at: 0))
        let found = search(frames(900...950), held: frames(1...500))
        #expect(found.answer == .parted(at: 0))
        #expect(found.after == 8)
    }

    @Test("an edge that lags is waited for, and its frames need not be kept")
    func laggingEdge() {
        let held = frames(1...3000)
        var search = OverlapSearch(held: held)
        var olds = 0
        for hash in frames(1000...3000).dropLast() {
            let answer = search.push(hash)
            #expect(answer == .old || answer == .undecided)
            if answer == .old { olds += 1 }
        }
        #expect(olds > 1990)
        #expect(search.push(frames(3000...3000)[0]) == .joined(at: 2001))
        #expect(search.isCertain)
    }

    @Test("silence at the break does not fool it", arguments: [1, 2, 3] as [UInt32], [1, 30, 200])
    func silenceAtTheEnd(kinds: UInt32, length: Int) {
        let held = frames(1...100) + silence(length, kinds: kinds)
        // The burst starts in the music, so that all of the silence is overlap; then five more silent frames are new.
        let more = silence(length + 5, kinds: kinds)
        let new = frames(80...100) + more + frames(101...130)
        #expect(search(new, held: held).answer == .joined(at: 21 + length))
    }

    @Test("a burst that begins in the silence takes the longest overlap that fits")
    func burstInSilence() {
        let held = frames(1...100) + silence(50)
        let new = silence(20) + frames(101...130)
        let found = search(new, held: held)
        #expect(found.answer == .joined(at: 20))
    }

    @Test("silence that was held before other music is not taken for the silence now")
    func oldSilence() {
        let held = frames(1...50) + silence(100) + frames(51...200)
        let new = silence(60) + frames(300...330)
        #expect(search(new, held: held).answer == .parted(at: 0))
    }

    @Test("silence without end is not waited for without end")
    func endlessSilence() {
        let held = frames(1...50) + silence(400) + frames(51...60)
        let found = search(silence(5000), held: held)
        #expect(found.answer == .parted(at: 0))
        #expect(found.after <= 600)
        let joined = search(silence(5000), held: frames(1...50) + silence(400))
        #expect(joined.answer == .joined(at: 400))
    }

    @Test("frames that were lost, doubled or hurt on the first connection do not part the second")
    func hurtOverlap() {
        let whole = frames(1...300)
        let missing = Array(whole[..<150] + whole[152...])
        #expect(
            search(Array(whole.suffix(200)) + frames(301...310), held: missing).answer == .joined(at: 200))
        let hurt = Array(whole[..<298]) + [77, 78]
        #expect(search(Array(whole.suffix(200)) + frames(301...310), held: hurt).answer == .joined(at: 198))
        let extra = [UInt32(3), 9] + whole.suffix(100) + frames(301...310)
        #expect(search(extra, held: whole).answer == .joined(at: 102))
    }

    @Test("a stream that turns into something else parts where it does")
    func diverging() {
        let held = frames(1...300)
        let new = Array(held[100..<200]) + frames(900...950)
        #expect(search(new, held: held).answer == .parted(at: 100))
    }
}
