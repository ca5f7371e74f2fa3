import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// The folder of the HTTP cache is deleted while it is in use.
extension HTTPCachePipelineTests {
    /// What comes then is said not to be stored, and people hear of it once.
    @Test func aFolderThatIsDeletedInUseIsTold() throws {
        for name in ["a", "b", "c"] { origin.route("/\(name).txt", Self.fresh(name)) }
        let harness = try harness()
        ask(harness, origin.url("/a.txt"))
        ask(harness, origin.url("/a.txt"))
        FileTree.remove(cache.path + "/cache")
        ask(harness, origin.url("/b.txt"))
        let isTold = harness.wait { events in
            events.contains { if case .warning(.httpCache, _, nil) = $0.kind { true } else { false } }
        }
        #expect(isTold)
        for name in ["a", "c", "c"] { ask(harness, origin.url("/\(name).txt")) }
        let events = try harness.finish()
        #expect(["a", "b", "c"].map { origin.log.hits("/\($0).txt") } == [2, 1, 2])
        let warnings = events.indices.filter { if case .warning = events[$0].kind { true } else { false } }
        #expect(warnings.count == 1)
        // What the writer had not written by then is evicted, before or behind the warning; the second one may be among
        // those that come later.
        let later = events[(warnings.first ?? 0)...].compactMap {
            if case .httpCacheChanged(let change) = $0.kind { change.verb } else { nil }
        }
        #expect(later.count { $0 == .skipped } >= 3 && later.allSatisfy { $0 == .skipped || $0 == .evicted })
    }
}
