import SluiceCore
import Testing

@testable import SluiceStore

/// What holds before it is on disk, by every sequence of a few changes against a list of them.
struct PendingResponsesTests {
    private enum Step: CaseIterable {
        case addFirst, addSecond, updateFirst, removeFirst, removeSecond, loseFirst, finishOne, finishAll

        var adds: Bool { self == .addFirst || self == .addSecond }
        var removes: Bool { self == .removeFirst || self == .removeSecond }
        /// What it adds to the number of responses.
        var count: Int { adds ? 1 : removes ? -1 : 0 }
    }

    /// All that happened, looked through anew for each question.
    private struct Model {
        struct Job {
            var id: Int64
            var kind: Step
            var isLost = false
            /// Whether all that was known of its response has been on disk since: then the index tells of it.
            var isKnownThere = false
        }

        var jobs: [Job] = []
        var finished = 0

        var open: ArraySlice<Job> { jobs[finished...] }

        /// Of what is to be added and not on disk, the identifiers.
        var added: [Int64] {
            (1...2).filter { id in
                let own = jobs.indices.filter { jobs[$0].id == id && !jobs[$0].isLost }
                guard let last = own.last, last >= finished else { return false }
                return own.contains { jobs[$0].kind.adds && !jobs[$0].isKnownThere } && !jobs[last].kind.removes
            }
        }

        func sum(_ size: (Job) -> Int) -> Int { open.reduce(0) { $0 + size($1) } }
    }

    private static func response(_ id: Int64) -> StoredResponse {
        var response = StoredResponse(url: "http://h/a", status: 200, fields: [], requestTime: 0, responseTime: 0)
        (response.id, response.size) = (ResponseID(id), Int(id) * 10)
        return response
    }

    private func addition(_ id: Int64) -> ResponseAddition {
        let body = ResponseBody.bytes([UInt8](repeating: 0, count: Int(id) * 10))
        return ResponseAddition(Self.response(id), hash: 7, body: body, used: 0, settled: 0)
    }

    @Test func whatIsOnDiskIsNotLost() {
        var pending = PendingResponses()
        pending.remove(Self.response(1), job: 1)
        let before = (pending.bytes, pending.count)
        pending.lose(ResponseID(1))
        #expect(pending[ResponseID(1)]?.isRemoved == true)
        #expect((pending.bytes, pending.count) == before)
    }

    @Test func aRemovalThatFailedHoldsUntilItIsDone() {
        var pending = PendingResponses()
        pending.update(Self.response(1), job: 1)
        pending.remove(Self.response(1), job: 2)
        pending.add(addition(2), job: 3)
        pending.finish(upTo: 3, but: [ResponseID(1)])
        #expect(pending[ResponseID(1)]?.isRemoved == true)
        #expect(pending[ResponseID(2)] == nil, "what was added is on disk, or lost")
        #expect((pending.jobs, pending.bytes, pending.count, pending.waitingBytes) == (1, -10, -1, 0))

        pending.finish(upTo: 4)
        #expect(pending[ResponseID(1)] == nil)
        #expect((pending.jobs, pending.bytes, pending.count) == (0, 0, 0))
    }

    /// The writer took it out by itself first, and its sums know that.
    @Test func aRemovalThatWasForestalledHoldsAndChangesNoSums() {
        var pending = PendingResponses()
        pending.remove(Self.response(1), job: 1)
        pending.remove(Self.response(2), job: 2)
        pending.forestall(ResponseID(1))
        #expect(pending[ResponseID(1)]?.isRemoved == true)
        #expect((pending.jobs, pending.bytes, pending.count) == (2, -20, -1))

        pending.finish(upTo: 2)
        #expect(pending[ResponseID(1)] == nil)
        #expect((pending.jobs, pending.bytes, pending.count) == (0, 0, 0))
    }

    @Test func everySequenceIsWhatAListOfItSays() {
        var visited = 0
        func visit(_ steps: [Step], depth: Int) {
            // Made anew each time, since it can't be copied.
            var pending = PendingResponses()
            var model = Model()
            for step in steps where !take(step, &pending, &model) { return }
            visited += 1
            let found = pending.added(for: "http://h/a", hash: 7).map(\.id.rawValue).sorted()
            #expect(found == model.added, "\(model)")
            #expect(pending.added(for: "http://h/b", hash: 7).isEmpty)
            #expect(pending.isEmpty == model.open.isEmpty)
            let count = model.sum { $0.isLost ? 0 : $0.kind.count }
            let bytes = model.sum { $0.isLost ? 0 : $0.kind.count * Int($0.id) * 10 }
            let waiting = model.sum { $0.kind.adds ? Int($0.id) * 10 : 0 }
            #expect((pending.count, pending.bytes, pending.waitingBytes) == (count, bytes, waiting), "\(model)")
            guard depth > 0 else { return }
            for step in Step.allCases { visit(steps + [step], depth: depth - 1) }
        }
        visit([], depth: 9)
        #expect(visited > 10_000)
    }

    /// - Returns: Whether that can happen now.
    private func take(_ step: Step, _ pending: inout PendingResponses, _ model: inout Model) -> Bool {
        let job = model.jobs.count + 1
        let id: Int64 = [.addSecond, .removeSecond].contains(step) ? 2 : 1
        let own = model.jobs.filter { $0.id == id }
        switch step {
        case .addFirst, .addSecond:
            // An identifier is used once.
            if !own.isEmpty { return false }
            pending.add(addition(id), job: job)
        case .updateFirst:
            if own.isEmpty || own.contains(where: { $0.kind.removes || $0.isLost }) { return false }
            pending.update(Self.response(id), job: job)
        case .removeFirst, .removeSecond:
            if own.isEmpty || own.contains(where: { $0.kind.removes || $0.isLost }) { return false }
            pending.remove(Self.response(id), job: job)
        case .loseFirst:
            // The writer says so before it says that the batch is done.
            guard let index = model.jobs.firstIndex(where: { $0.id == id }), index >= model.finished,
                !own.contains(where: { $0.kind.removes || $0.isLost })
            else { return false }
            pending.lose(ResponseID(id))
            for index in model.jobs.indices where model.jobs[index].id == id { model.jobs[index].isLost = true }
            return true
        case .finishOne, .finishAll:
            if model.open.isEmpty { return false }
            model.finished = step == .finishOne ? model.finished + 1 : model.jobs.count
            for id: Int64 in 1...2 where !model.open.contains(where: { $0.id == id }) {
                for index in model.jobs.indices where model.jobs[index].id == id {
                    model.jobs[index].isKnownThere = true
                }
            }
            pending.finish(upTo: model.finished)
            return true
        }
        model.jobs.append(Model.Job(id: id, kind: step))
        return true
    }
}
