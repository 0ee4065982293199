extension FixedWidthInteger {
    /// A number of which nobody knows how large it is, as a whole one, cut towards zero. Never traps: what is beyond the
    /// type counts as its nearest end, what is no number as 0. For numbers of requests, stations, sidecars and settings,
    /// where `Int(number)` would end the process.
    package init(bounded number: Double) {
        self = Self(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}
