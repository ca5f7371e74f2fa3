import CLinux
import Glibc
import SluiceCore
import Testing

@testable import SluiceStore

/// What requests were asked with: it comes back as it was, and goes with them.
extension StateStoreTests {
    @Test func optionsComeBackAsTheyWere() throws {
        let options = RequestOptions(
            headers: [
                HeaderField("X-One", "a b%\tc\u{1F431}"), HeaderField("X-Empty", ""),
                HeaderField("X-Mark", "\u{301}is no blank's"),
            ],
            policy: .reload,
            priority: .high,
            saves: false,
            destination: "some where/x y.bin",
            retryFailed: true,
            method: "PUT",
            body: [0, 255, 16],
            sha256: String(repeating: "ab", count: 32)
        )
        let first = store()
        _ = load(first)
        _ = save([task(1, rank: 0), request(1, options), task(2, rank: 1), request(2)], to: first)
        first.close()
        let restored = load(store()).requests.map(\.request.options)
        let same = try #require(restored.first)
        #expect(same.headers == options.headers)
        #expect((same.policy, same.priority, same.saves) == (options.policy, options.priority, options.saves))
        #expect((same.destination, same.retryFailed) == (options.destination, options.retryFailed))
        #expect((same.method, same.body, same.sha256) == (options.method, options.body, options.sha256))
        #expect(restored.last?.headers.isEmpty == true)
    }

    /// How many options the file has.
    private func kept() throws -> Int? {
        let database = try Database(
            path: StateStore.path(in: directory.file("state")),
            migrations: StateFile.migrations
        )
        return try database.integer("SELECT count(*) FROM options")
    }

    /// Though one of them never ends.
    @Test(arguments: [1, 100_000]) func whatEndedRequestsWereAskedWithGoes(size: Int) throws {
        let first = store()
        _ = load(first)
        #expect(save([task(1, rank: 0), request(1)], to: first) == nil)
        for number in 2...600 {
            let field = HeaderField("X-A", String(repeating: "a", count: size) + "\(number)")
            let changes = [task(number, rank: 0), request(number, RequestOptions(headers: [field]))]
            #expect(save(changes + [.taskEnded(TaskID(number))], to: first) == nil)
        }
        let left = try kept() ?? 0
        #expect(left > 0 && left < (size > 1 ? 170 : 260), "\(left)")
        first.close()
        #expect(load(store()).requests.map(\.row.task) == [1])
    }

    @Test func optionsGoWithTheLastRequestThatHasThem() throws {
        let secret = RequestOptions(headers: [HeaderField("Authorization", "secret")], body: [1, 2, 3])
        let first = store()
        _ = load(first)
        _ = save([task(1, rank: 0), request(1, secret), task(2, rank: 1), request(2, secret)], to: first)
        #expect(try kept() == 1)
        _ = save([.taskEnded(TaskID(1))], to: first)
        #expect(try kept() == 1)
        _ = save([.taskEnded(TaskID(2))], to: first)
        #expect(try kept() == 0)
        // What was removed is written again.
        _ = save([task(3, rank: 0), request(3, secret)], to: first)
        let beside = store()
        _ = load(beside)
        _ = save([.taskEnded(TaskID(3))], to: first)
        #expect(try kept() == 1, "the other one may be about to use them")
        beside.close()
        first.close()
        #expect(try kept() == 0)
    }

    @Test func aRequestWithoutItsOptionsIsNoOther() throws {
        let first = store()
        _ = load(first)
        let post = RequestOptions(method: "POST", body: [1])
        _ = save([task(1, rank: 0), request(1, post), task(2, rank: 1), request(2)], to: first)
        first.close()
        try Database(path: StateStore.path(in: directory.file("state")), migrations: StateFile.migrations)
            .run("UPDATE options SET fields = 'damaged' WHERE fields LIKE '%POST%'")
        let second = store()
        let state = load(second)
        #expect(state.requests.map { $0.request.url.last } == ["2"])
        #expect(state.problem?.message.contains("http://site.example/1 is damaged") == true)
        second.close()
    }
}
