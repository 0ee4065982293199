/// Who is to be told about which descriptor. Slots are reused, tokens are not: an event that was already on its way
/// when its descriptor was unwatched finds another generation and is dropped.
struct WatchTable {
    struct Slot {
        var handler: (any EventHandler)?
        var tag: UInt64 = 0
        var descriptor: Int32 = -1
        var generation: UInt32 = 0
    }

    private var slots: ContiguousArray<Slot> = []
    private var free: ContiguousArray<Int> = []

    var count: Int { slots.count - free.count }

    mutating func add(_ descriptor: Int32, handler: any EventHandler, tag: UInt64) -> WatchToken {
        let index = free.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        slots[index].handler = handler
        slots[index].tag = tag
        slots[index].descriptor = descriptor
        return WatchToken(index: index, generation: slots[index].generation)
    }

    /// The slot that `token` names, unless it has been removed since.
    subscript(token: WatchToken) -> Slot? {
        guard slots.indices.contains(token.index), slots[token.index].generation == token.generation,
            slots[token.index].handler != nil
        else { return nil }
        return slots[token.index]
    }

    /// Forgets the descriptor and gives back its number; nil if the token is stale.
    mutating func remove(_ token: WatchToken) -> Int32? {
        guard let slot = self[token] else { return nil }
        slots[token.index].handler = nil
        slots[token.index].generation &+= 1
        free.append(token.index)
        return slot.descriptor
    }

    mutating func removeAll() {
        slots.removeAll()
        free.removeAll()
    }
}
