extension RawTitle {
    /// Bytes of one text that are taken from a tag: as long as an ICY block, which is the longest that others have.
    static let longestText = 4080
}
