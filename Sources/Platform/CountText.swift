/// Numbers of things as one says them: `1 title`, `2 titles`.
package enum CountText {
    /// - Parameter noun: in the singular, with a plural that ends in s.
    package static func text(_ count: some BinaryInteger, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
