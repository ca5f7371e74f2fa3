import SluiceCore
import SluiceCurl
import SluiceTestSupport
import SluiceTestTLS
import Testing

/// What is refused is refused also where a connection and a TLS session of another policy are left over.
@Suite(.timeLimit(.minutes(5)))
struct TrustLeftoverTests {
    /// Cells that share a client: fewer policies than leave their connections behind.
    private static let share = 8

    /// How a connection is kept, and how its session is resumed.
    enum Kind: CaseIterable {
        case http1
        case http2
        case http1OverTLS12
    }

    /// Every refused cell of the table, each beside a live connection and a session that a lenient request left.
    @Test(arguments: TrustMatrixRow.all, [Kind.http1, .http2])
    func whatIsRefusedHearsNothingOnLeftoversEither(_ row: TrustMatrixRow, _ kind: Kind) async throws {
        try await check(row, kind, cellsPerLeftover: 1)
    }

    /// The same where a host is asked by another name, and where sessions are resumed as before TLS 1.3.
    ///
    /// Several cells meet one connection and session, which are proven to be good after the last.
    @Test(arguments: others)
    func norWhereTheHostHasAnotherNameOrAnOlderTLS(_ row: TrustMatrixRow, _ kind: Kind) async throws {
        try await check(row, kind, cellsPerLeftover: Self.share)
    }

    private static let others =
        (TrustMatrixRow.all + TrustMatrixRow.asOthers).map { ($0, Kind.http1OverTLS12) }
        + TrustMatrixRow.asOthers.map { ($0, Kind.http2) }

    private func check(_ row: TrustMatrixRow, _ kind: Kind, cellsPerLeftover: Int) async throws {
        let world = TrustWorld()
        let shown = row.shown(world)
        var behaviour = TLSServer.Behaviour()
        (behaviour.offersHTTP2, behaviour.isTLS12) = (kind == .http2, kind == .http1OverTLS12)
        (behaviour.requestsPerConnection, behaviour.isElsewhere) = (2, shown.host == "127.0.0.2")
        let server = TLSServer(shown.sent, behaviour)
        defer { server.stop() }
        var refused = row.cells(shown, world).filter { $0.expected != "+" }[...]
        #expect(refused.count >= 6, "every chain is refused by some policy")
        // More policies find no more races.
        if ChildProcess.isThreadSanitized { refused = refused.prefix(2) }

        while !refused.isEmpty {
            try await withClient(TrustWorld.configuration) { client in
                let lenient = Requests(server, shown.host, client, isHTTP2: kind == .http2)
                try await lenient.open(isFirst: true)
                for (index, cell) in refused.prefix(Self.share).enumerated() {
                    try await lenient.expectRefusal(of: cell)
                    let isLast = index + 1 == min(Self.share, refused.count)
                    guard isLast || (index + 1) % cellsPerLeftover == 0 else { continue }
                    // That connection was live, and the session good.
                    try await lenient.useUp()
                    try await lenient.open(isFirst: false)
                }
            }
            refused = refused.dropFirst(Self.share)
        }
    }

    /// Requests of one client to one host.
    private struct Requests {
        private let server: TLSServer
        private let host: String
        private let client: TestClient
        private let version: String

        init(_ server: TLSServer, _ host: String, _ client: TestClient, isHTTP2: Bool) {
            (self.server, self.host, self.client) = (server, host, client)
            version = isHTTP2 ? "2" : "1.1"
        }

        /// Leaves a connection that is good for one more request, and a session.
        func open(isFirst: Bool) async throws {
            let before = server.connections.count
            let fetched = try await fetchLeniently()
            try #require(fetched.heads.map(\.reused) == [false])
            #expect(server.connections.count == before + 1 && server.connections[before].isResumed == !isFirst)
        }

        /// Takes the last request of the connection that ``open(isFirst:)`` left.
        func useUp() async throws {
            let fetched = try await fetchLeniently()
            try #require(fetched.heads.map(\.reused) == [true])
        }

        func expectRefusal(of cell: TrustMatrixRow.Cell) async throws {
            let before = server.connections
            var request = TransferRequest(url: server.url(host: host))
            request.trust = TrustBook(entries: [], fallback: cell.policy)

            let fetched = await client.fetch(request)

            // The first violation is the last: nothing is waited for that does not come.
            try #require(fetched.code == .tlsUntrusted, "\(cell.name): \(fetched.text)")
            #expect(fetched.news == ["trust", "ended"] && fetched.heads.isEmpty, "\(cell.name)")
            #expect(fetched.decisions.map { "\($0.verdict.rule.rawValue)" } == [String(cell.expected)], "\(cell.name)")
            #expect(fetched.decisions.map(\.isReused) == [false], "\(cell.name)")
            try #require(server.wait { $0.count == before.count + 1 && $0[before.count].isEnded }, "\(cell.name)")
            let after = server.connections
            #expect(after.last?.byteCount == 0 && after.last?.isShaken == false, "\(cell.name)")
            #expect(after.dropLast().map(\.requests) == before.map(\.requests), "\(cell.name)")
        }

        private func fetchLeniently() async throws -> Fetched {
            var policy = TrustPolicy()
            (policy.allowInvalid, policy.validatesDomain) = (true, false)
            var request = TransferRequest(url: server.url(host: host))
            request.trust = TrustBook(entries: [], fallback: policy)
            let fetched = await client.fetch(request)
            try #require(fetched.text == "hello", "\(fetched.error?.message ?? "")")
            #expect(fetched.heads.map(\.httpVersion) == [version])
            return fetched
        }
    }
}
