import SluiceCore

/// Changes to stored responses that are not on disk yet, and what they do to the sums.
///
/// They hold at once; the writer does its jobs later, in the order of their numbers. Pure.
///
/// Never copied, since each question to a copy would count a reference of every table.
struct PendingResponses: ~Copyable {
    /// What the last job for a response makes of it.
    struct Change {
        enum State {
            case added
            case updated(Updated)
            case removed
        }

        /// Behind a reference, since it is rare and large.
        final class Updated {
            let response: StoredResponse
            init(_ response: StoredResponse) { self.response = response }
        }

        fileprivate let job: Int
        /// Also of one that was changed since; `nil` for one that is on disk.
        let addition: ResponseAddition?
        fileprivate let state: State

        /// What holds now; `nil` for one that is removed.
        var response: StoredResponse? {
            switch state {
            case .added: addition?.response
            case .updated(let updated): updated.response
            case .removed: nil
            }
        }

        var isRemoved: Bool {
            if case .removed = state { true } else { false }
        }
    }

    /// A job that the writer has not done.
    private struct Undone {
        let job: Int
        let id: ResponseID
        /// What it adds to the sums.
        var bytes = 0
        var count = 0
        /// Of a body in memory that waits with it.
        var waiting = 0
    }

    private var changes: [ResponseID: Change] = [:]
    /// By the hashes of their URLs; the first of each, nearly always the only one.
    private var additions: [Int64: ResponseID] = [:]
    /// The others.
    private var more: [Int64: [ResponseID]] = [:]
    /// In the order of their numbers.
    private var undone: [Undone] = []
    /// What all of them add to the bytes on disk.
    private(set) var bytes = 0
    /// What all of them add to the number of responses.
    private(set) var count = 0
    /// Of the bodies in memory that wait to be written.
    private(set) var waitingBytes = 0

    var isEmpty: Bool { undone.isEmpty }
    /// Jobs that the writer has not done.
    var jobs: Int { undone.count }

    /// Of the URLs of what is to be added.
    var hashes: some Sequence<Int64> { additions.keys }

    subscript(id: ResponseID) -> Change? { changes[id] }

    /// What is to be added for a URL.
    func added(for url: String, hash: Int64) -> [StoredResponse] {
        guard let first = additions[hash] else { return [] }
        let all = more.isEmpty ? [first] : [first] + (more[hash] ?? [])
        return all.compactMap { changes[$0]?.response }.filter { $0.url == url }
    }

    /// What is to be added, and was asked for first, as the index would order it.
    ///
    /// - Parameter used: When responses were used since.
    /// - Returns: `nil` where none waits.
    /// - Complexity: O(changes)
    func firstAdded(used: [ResponseID: Int64]) -> StoredResponse? {
        let first = changes.values.compactMap(\.addition).min { first, second in
            (used[first.id] ?? first.used, first.id) < (used[second.id] ?? second.used, second.id)
        }
        return first.flatMap { changes[$0.id]?.response }
    }

    /// Bytes of what is to be added.
    ///
    /// - Complexity: O(changes)
    var addedBytes: Int { changes.values.reduce(0) { $0 + ($1.addition?.body.count ?? 0) } }

    mutating func add(_ addition: ResponseAddition, job: Int) {
        changes[addition.id] = Change(job: job, addition: addition, state: .added)
        if let first = additions.updateValue(addition.id, forKey: addition.hash) {
            additions[addition.hash] = first
            more[addition.hash, default: []].append(addition.id)
        }
        var waiting = 0
        if case .bytes(let bytes) = addition.body { waiting = bytes.count }
        note(Undone(job: job, id: addition.id, bytes: addition.body.count, count: 1, waiting: waiting))
    }

    mutating func update(_ response: StoredResponse, job: Int) {
        // It went while the origin was asked about it.
        if case .removed = changes[response.id]?.state { return }
        let addition = changes[response.id]?.addition
        changes[response.id] = Change(job: job, addition: addition, state: .updated(.init(response)))
        note(Undone(job: job, id: response.id))
    }

    mutating func remove(_ response: StoredResponse, job: Int) {
        if let addition = changes[response.id]?.addition { forget(addition) }
        changes[response.id] = Change(job: job, addition: nil, state: .removed)
        note(Undone(job: job, id: response.id, bytes: -response.size, count: -1))
    }

    /// Takes back an addition that found no place; nothing for any other response.
    mutating func lose(_ id: ResponseID) {
        guard let addition = changes[id]?.addition else { return }
        changes[id] = nil
        forget(addition)
        takeBack(undone.firstIndex { $0.id == id && $0.count > 0 })
    }

    /// Leaves the sums alone that a removal changes: the writer took the response out before it came to that.
    mutating func forestall(_ id: ResponseID) { takeBack(undone.firstIndex { $0.id == id && $0.count < 0 }) }

    /// Lets a job change the sums no more.
    private mutating func takeBack(_ index: Int?) {
        guard let index else { return }
        (bytes, count) = (bytes - undone[index].bytes, count - undone[index].count)
        (undone[index].bytes, undone[index].count) = (0, 0)
    }

    /// The writer has done all jobs up to this one.
    ///
    /// - Parameters:
    ///   - number: Of the last one.
    ///   - unremoved: Responses whose removal failed and is tried again; until then they stay removed here.
    mutating func finish(upTo number: Int, but unremoved: Set<ResponseID> = []) {
        let done = undone.prefix { $0.job <= number }
        var left: [Undone] = []
        for job in done {
            let isLeft = unremoved.contains(job.id)
            if isLeft, job.count < 0 {
                left.append(job)
                continue
            }
            (bytes, count) = (bytes - job.bytes, count - job.count)
            waitingBytes -= job.waiting
            guard !isLeft, let place = changes.index(forKey: job.id), changes[place].value.job <= number else {
                continue
            }
            if let addition = changes.remove(at: place).value.addition { forget(addition) }
        }
        undone.removeFirst(done.count)
        if !left.isEmpty { undone.insert(contentsOf: left, at: 0) }
    }

    private mutating func note(_ job: Undone) {
        undone.append(job)
        (bytes, count) = (bytes + job.bytes, count + job.count)
        waitingBytes += job.waiting
    }

    /// Lets an addition be found no more.
    private mutating func forget(_ addition: ResponseAddition) {
        let hash = addition.hash
        guard var others = more.isEmpty ? nil : more[hash] else {
            additions[hash] = nil
            return
        }
        if additions[hash] == addition.id {
            additions[hash] = others.removeFirst()
        } else {
            others.removeAll { $0 == addition.id }
        }
        more[hash] = others.isEmpty ? nil : others
    }
}
