/// The memory cache: values with a cost, found by key, purged by least recent access.
///
/// Usage never exceeds the capacity after a call: an add that would make it so purges, in
/// the same step, whole entries, the least recently accessed first, until at most
/// ``preferred`` is left; the entry just added goes last. An entry larger than the
/// capacity is refused, and the cache stays as it was. Adding, hits and removals refresh
/// nothing but their own entry; looking on with ``peek(_:)`` and ``entries(now:)`` nothing at all.
///
/// It is pure: the time is passed in, and only for telling how long an entry was idle.
///
/// - SeeAlso: AFNetworking, `AFAutoPurgingImageCache.m`
public struct PurgingCache<Value: Sendable>: Sendable {
    /// What became of an add.
    public struct Addition: Sendable {
        /// `added`, `replaced` or `refused`, with the figures after the whole step.
        public let change: CacheChange
        /// What had to go for it; the entry itself may be among the victims.
        public let purge: CachePurge?
    }

    /// A value that was found.
    public struct Hit: Sendable {
        /// As it was added.
        public let value: Value
        /// In bytes.
        public let cost: Int
        /// Since the access before this one.
        public let idle: Duration
    }

    /// An entry as a list shows it.
    public struct Entry: Equatable, Sendable {
        /// By which ``hit(_:now:)`` finds it.
        public let key: CacheKey
        /// In bytes.
        public let cost: Int
        /// Since its last access.
        public let idle: Duration
    }

    private struct Slot: Sendable {
        var key: CacheKey
        /// `nil` in a free slot.
        var value: Value?
        var cost: Int
        var accessed: Timestamp
        /// Neighbours in the order of access; `newer` also links the free slots.
        var older = none
        var newer = none
        /// Neighbours among the variants of one image.
        var previousVariant = none
        var nextVariant = none
    }

    private static var none: Int32 { -1 }

    /// In bytes; 0 means no limit.
    public private(set) var capacity: Int
    /// What a purge leaves at most, in bytes.
    public private(set) var preferred: Int
    /// The sum of all costs, in bytes.
    public private(set) var usage = 0
    /// Calls of ``hit(_:now:)`` that found something.
    public private(set) var hits = 0
    /// Calls of ``hit(_:now:)`` that found nothing.
    public private(set) var misses = 0
    /// Purges by capacity, resizing and pressure, and clearings.
    public private(set) var purges = 0
    /// By all purges, in bytes.
    public private(set) var freed = 0

    private var slots: ContiguousArray<Slot> = []
    private var index: [CacheKey: Int32] = [:]
    /// The first variant of each image.
    private var variants: [String: Int32] = [:]
    private var newest = PurgingCache.none
    private var oldest = PurgingCache.none
    private var firstFree = PurgingCache.none
    /// The greatest cost, or `nil` where it has to be looked for.
    private var knownLargest: Int? = 0

    /// - Parameters:
    ///   - capacity: In bytes. `0...`; 0 means no limit.
    ///   - preferred: What a purge leaves at most, in bytes. `0...capacity`
    /// - Precondition: `preferred` is at most `capacity`, where there is one.
    public init(capacity: Int, preferred: Int) {
        Self.check(capacity: capacity, preferred: preferred)
        (self.capacity, self.preferred) = (capacity, preferred)
    }

    /// Entries.
    public var count: Int { index.count }

    /// The greatest cost of an entry, in bytes; 0 for an empty cache.
    ///
    /// - Complexity: O(1), but O(n) once after the largest entry went.
    public mutating func largest() -> Int {
        if let knownLargest { return knownLargest }
        let largest = slots.reduce(0) { max($0, $1.value == nil ? 0 : $1.cost) }
        knownLargest = largest
        return largest
    }

    /// Adds a value, or replaces the one of the same key; it counts as the newest.
    ///
    /// - Parameters:
    ///   - value: What to keep.
    ///   - key: Where to find it.
    ///   - cost: In bytes. `0...`
    ///   - now: The time of this access.
    /// - Returns: Added, replaced or refused, with the usage after the whole step; and the purge it caused.
    /// - Complexity: O(1 + victims)
    public mutating func add(_ value: Value, for key: CacheKey, cost: Int, now: Timestamp) -> Addition {
        precondition(cost >= 0, "a cost is not negative")
        guard capacity == 0 || cost <= capacity else {
            let why = Why.largerThanCapacity(cost: cost, capacity: capacity)
            return Addition(change: change(.refused, key, cost: cost, why: why), purge: nil)
        }
        let wasThere = index[key].map { discard($0) } != nil
        insert(Slot(key: key, value: value, cost: cost, accessed: now))
        let purge = purgeIfFull(.capacity, now: now)
        return Addition(
            change: wasThere
                ? change(.replaced, key, cost: cost, why: .replacedOlder)
                : change(.added, key, cost: cost, why: whyAdded(key, cost: cost, purge)),
            purge: purge
        )
    }

    /// What the whole step did: with what went for it, that an entry fits would be half of the truth.
    private func whyAdded(_ key: CacheKey, cost: Int, _ purge: CachePurge?) -> Why {
        guard let purge else { return .fitsCapacity }
        return index[key] == nil
            ? .purgedAtOnce(cost: cost, preferred: preferred) : .addedByPurging(victims: purge.victims.count)
    }

    /// What is told of a value that an admission hook kept out; what is there stays.
    public func refusal(of key: CacheKey, cost: Int) -> CacheChange {
        change(.refused, key, cost: cost, why: .refusedByHook)
    }

    /// Finds a value, and counts the hit or miss; a hit makes the entry the newest.
    ///
    /// - Complexity: O(1)
    @inlinable
    public mutating func hit(_ key: CacheKey, now: Timestamp) -> Hit? {
        // Nothing is hashed where nothing is kept, nor looked up what a value is.
        if isEmpty {
            countMiss()
            return nil
        }
        return find(key, now: now)
    }

    /// Whether there is no entry.
    public var isEmpty: Bool { index.isEmpty }

    /// Counts a lookup that found nothing of use.
    public mutating func countMiss() { misses += 1 }

    @usableFromInline
    mutating func find(_ key: CacheKey, now: Timestamp) -> Hit? {
        guard let place = index[key], let value = slots[Int(place)].value else {
            misses += 1
            return nil
        }
        hits += 1
        let idle = now - slots[Int(place)].accessed
        slots[Int(place)].accessed = now
        if newest != place {
            unlink(place)
            linkAsNewest(place)
        }
        return Hit(value: value, cost: slots[Int(place)].cost, idle: idle)
    }

    /// Whether there is an image, or a variant of it.
    ///
    /// - Parameter key: Without what tells variants apart.
    /// - Returns: `true` if there is one.
    public func hasVariant(of key: String) -> Bool { variants[key] != nil }

    /// Finds a value without counting or refreshing anything.
    public func peek(_ key: CacheKey) -> Value? { index[key].flatMap { slots[Int($0)].value } }

    /// Removes one entry.
    ///
    /// - Returns: `nil` if there was none.
    /// - Complexity: O(1)
    public mutating func remove(_ key: CacheKey, why: Why = .removedByUser) -> CacheChange? {
        guard let place = index[key] else { return nil }
        let cost = discard(place)
        return change(.removed, key, cost: cost, why: why)
    }

    /// Removes an image with all its variants.
    ///
    /// - Parameters:
    ///   - key: Without what tells variants apart.
    ///   - kept: Variants that stay.
    ///   - why: For the events.
    /// - Returns: One change for each, the usage after each.
    /// - Complexity: O(variants)
    public mutating func removeAll(
        _ key: String,
        except kept: Set<CacheKey> = [],
        why: Why = .removedByUser
    ) -> [CacheChange] {
        var changes: [CacheChange] = []
        var next = variants[key] ?? Self.none
        while next != Self.none {
            let place = next
            let removed = slots[Int(place)].key
            next = slots[Int(place)].nextVariant
            if kept.contains(removed) { continue }
            let cost = discard(place)
            changes.append(change(.removed, removed, cost: cost, why: why))
        }
        return changes
    }

    /// Removes the images of these URLs with all their variants, whatever else is in their merge keys.
    ///
    /// - Parameters:
    ///   - urls: As merge keys have them.
    ///   - why: For the events.
    /// - Returns: As ``removeAll(_:except:why:)``, in the order of the keys.
    /// - Complexity: O(entries)
    public mutating func removeAll(ofURLs urls: Set<String>, why: Why = .removedByUser) -> [CacheChange] {
        // A key that somebody presses asks for this, or an answer to an unsafe method: too few for an index of its own.
        let keys = variants.keys.filter { urls.contains(CacheKey.url(of: $0)) }.sorted()
        return keys.flatMap { removeAll($0, why: why) }
    }

    /// Sets the limits, and purges at once what does not fit any more.
    ///
    /// - Parameters:
    ///   - capacity: As for ``init(capacity:preferred:)``.
    ///   - preferred: As for ``init(capacity:preferred:)``.
    ///   - now: For telling how long the victims were idle.
    /// - Returns: `nil` if all fits.
    /// - Precondition: `preferred` is at most `capacity`, where there is one.
    public mutating func resize(capacity: Int, preferred: Int, now: Timestamp) -> CachePurge? {
        Self.check(capacity: capacity, preferred: preferred)
        (self.capacity, self.preferred) = (capacity, preferred)
        return purgeIfFull(.resized, now: now)
    }

    /// Removes everything.
    ///
    /// - Parameters:
    ///   - trigger: `cleared` by the user, or `pressure`.
    ///   - now: For telling how long the entries were idle.
    /// - Returns: `nil` if there was nothing.
    public mutating func clear(_ trigger: CachePurge.Trigger, now: Timestamp) -> CachePurge? {
        count == 0 ? nil : purge(trigger, needed: usage, clearing: true, now: now)
    }

    /// The entries of the greatest cost, greatest first; equal ones in no order.
    ///
    /// - Parameter count: At most so many. `0...`
    /// - Returns: Fewer where there are fewer.
    /// - Complexity: O(n), and O(count) for each entry that is among them at some time.
    public func largestEntries(_ count: Int) -> [(key: CacheKey, cost: Int, accessed: Timestamp)] {
        guard count > 0 else { return [] }
        var found: [Int] = []
        for place in slots.indices where slots[place].value != nil {
            let cost = slots[place].cost
            if found.count == count, slots[found[count - 1]].cost >= cost { continue }
            if found.count == count { found.removeLast() }
            let index = found.firstIndex { slots[$0].cost < cost } ?? found.count
            found.insert(place, at: index)
        }
        return found.map { (slots[$0].key, slots[$0].cost, slots[$0].accessed) }
    }

    /// All entries, most recently accessed first.
    ///
    /// - Complexity: O(n)
    public func entries(now: Timestamp) -> [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        var place = newest
        while place != Self.none {
            let slot = slots[Int(place)]
            entries.append(Entry(key: slot.key, cost: slot.cost, idle: now - slot.accessed))
            place = slot.older
        }
        return entries
    }

    // MARK: - Purging

    private static func check(capacity: Int, preferred: Int) {
        precondition(capacity >= 0 && preferred >= 0, "limits are not negative")
        precondition(capacity == 0 || preferred <= capacity, "preferred is at most the capacity")
    }

    private mutating func purgeIfFull(_ trigger: CachePurge.Trigger, now: Timestamp) -> CachePurge? {
        guard capacity > 0, usage > capacity else { return nil }
        return purge(trigger, needed: usage - preferred, now: now)
    }

    /// Removes the oldest entries until enough is freed; `clearing`, also those that cost nothing.
    private mutating func purge(
        _ trigger: CachePurge.Trigger,
        needed: Int,
        clearing: Bool = false,
        now: Timestamp
    ) -> CachePurge {
        let before = usage
        var victims: [CachePurge.Victim] = []
        while oldest != Self.none, clearing || before - usage < needed {
            let slot = slots[Int(oldest)]
            victims.append(CachePurge.Victim(key: slot.key, cost: slot.cost, idle: now - slot.accessed))
            discard(oldest)
        }
        purges += 1
        freed += before - usage
        return CachePurge(
            trigger: trigger,
            before: before,
            needed: needed,
            freed: before - usage,
            preferred: preferred,
            victims: victims
        )
    }

    private func change(_ verb: CacheChange.Verb, _ key: CacheKey, cost: Int, why: Why) -> CacheChange {
        CacheChange(verb: verb, key: key, cost: cost, usage: usage, capacity: capacity, count: count, why: why)
    }

    // MARK: - Slots and their links

    private mutating func insert(_ slot: Slot) {
        var place = firstFree
        if place == Self.none {
            place = Int32(slots.count)
            slots.append(slot)
        } else {
            firstFree = slots[Int(place)].newer
            slots[Int(place)] = slot
        }
        index[slot.key] = place
        let sibling = variants.updateValue(place, forKey: slot.key.key) ?? Self.none
        slots[Int(place)].nextVariant = sibling
        if sibling != Self.none { slots[Int(sibling)].previousVariant = place }
        linkAsNewest(place)
        usage += slot.cost
        if let largest = knownLargest { knownLargest = max(largest, slot.cost) }
    }

    /// Empties a slot.
    ///
    /// - Returns: What it cost.
    @discardableResult
    private mutating func discard(_ place: Int32) -> Int {
        unlink(place)
        let slot = slots[Int(place)]
        index[slot.key] = nil
        if slot.nextVariant != Self.none { slots[Int(slot.nextVariant)].previousVariant = slot.previousVariant }
        if slot.previousVariant != Self.none {
            slots[Int(slot.previousVariant)].nextVariant = slot.nextVariant
        } else {
            variants[slot.key.key] = slot.nextVariant == Self.none ? nil : slot.nextVariant
        }
        usage -= slot.cost
        if slot.cost == knownLargest { knownLargest = index.isEmpty ? 0 : nil }
        let free = CacheKey(key: "")
        slots[Int(place)] = Slot(key: free, value: nil, cost: 0, accessed: slot.accessed, newer: firstFree)
        firstFree = place
        return slot.cost
    }

    private mutating func linkAsNewest(_ place: Int32) {
        slots[Int(place)].older = newest
        slots[Int(place)].newer = Self.none
        if newest == Self.none { oldest = place } else { slots[Int(newest)].newer = place }
        newest = place
    }

    private mutating func unlink(_ place: Int32) {
        let (older, newer) = (slots[Int(place)].older, slots[Int(place)].newer)
        if older == Self.none { oldest = newer } else { slots[Int(older)].newer = newer }
        if newer == Self.none { newest = older } else { slots[Int(newer)].older = older }
    }
}
