internal import CLinux

/// The titles of a mount by the place they begin at, with the metadata block each listener is sent.
///
/// A block is written once and lies still until its title has left the ring, so that any number of gather writes may
/// point at it.
package struct TitleTimeline: ~Copyable {
    /// One title: a number that only grows, where it begins, and its block (length byte, text, padding).
    package struct Entry {
        package var number: Int32
        package var place: Int64
        /// Where the feed says that it begins: by this it is found when it reads differently later.
        package var mark: Int64
        package var block: UnsafeRawBufferPointer
    }

    private var entries: ContiguousArray<Entry> = []
    private var nextNumber: Int32 = 1

    package init() {}

    deinit { for entry in entries { entry.block.deallocate() } }

    /// The number for "nothing announced": every cursor begins with it, so no title means an empty block.
    package static let none: Int32 = 0

    /// From `place` on, this block is valid. A second title at one place replaces the first.
    /// - Parameter mark: the title's position in the feed.
    package mutating func append(block: [UInt8], at place: Int64, mark: Int64) {
        if let last = entries.last, last.place == place {
            last.block.deallocate()
            entries.removeLast()
        }
        entries.append(Entry(number: nextNumber, place: place, mark: mark, block: Self.copy(block)))
        nextNumber &+= 1
    }

    /// Gives the title that the feed has at `mark` another text; those who were sent the old one will be sent the new one.
    package mutating func replace(block: [UInt8], mark: Int64) {
        guard let index = entries.firstIndex(where: { $0.mark == mark }) else { return }
        entries[index].block.deallocate()
        entries[index].block = Self.copy(block)
        entries[index].number = nextNumber
        nextNumber &+= 1
    }

    /// The title valid at `place`: nearly always the newest.
    package func entry(at place: Int64) -> Entry? {
        var index = entries.count
        while index > 0 {
            index -= 1
            if entries[index].place <= place { return entries[index] }
        }
        return nil
    }

    /// Lets go of titles that ended before `place`; the one valid there stays.
    package mutating func forget(before place: Int64) {
        while entries.count > 1, entries[1].place <= place {
            entries[0].block.deallocate()
            entries.removeFirst()
        }
    }

    package var count: Int { entries.count }

    private static func copy(_ block: [UInt8]) -> UnsafeRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: block.count, alignment: 1)
        memory.copyBytes(from: block)
        return UnsafeRawBufferPointer(memory)
    }
}
