internal import JSONText
internal import Platform

/// `aircheck version`
enum VersionCommand {
    static func run(_ invocation: Invocation) {
        if invocation.json {
            Terminal.print(["name": .string(Product.name), "version": .string(Product.version)])
        } else {
            Terminal.print("\(Product.name) \(Product.version)")
        }
    }
}
