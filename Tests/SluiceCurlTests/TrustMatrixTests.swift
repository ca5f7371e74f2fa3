import SluiceCore
import SluiceCurl
import SluiceTestTLS
import Testing

/// The whole table of the rules for trust (docs, Rules) against real servers.
@Suite(.timeLimit(.minutes(5)))
struct TrustMatrixTests {
    @Test(arguments: TrustMatrixRow.all + TrustMatrixRow.asOthers)
    func everyPolicySaysWhatTheSpecificationSays(_ row: TrustMatrixRow) async throws {
        let world = TrustWorld()
        let shown = row.shown(world)
        var behaviour = TLSServer.Behaviour()
        behaviour.isElsewhere = shown.host == "127.0.0.2"
        let server = TLSServer(shown.sent, behaviour)
        defer { server.stop() }
        let cells = row.cells(shown, world)
        #expect(cells.count == 3 * 4 * 6, "the table must not shrink")

        try await withClient(TrustWorld.configuration) { client in
            for cell in cells { try await check(cell, server, shown.host, client) }
        }
    }

    /// As in a container without the package that brings them.
    @Test func whoNeedsNobodysWordNeedsNoAuthorities() async {
        let world = TrustWorld()
        let leaf = world.leaf(["other.localhost"])
        let server = TLSServer([leaf])
        defer { server.stop() }
        var configuration = TrustWorld.configuration
        configuration.authorities = "/nowhere/ca.pem"
        var lenient = TrustPolicy()
        (lenient.allowInvalid, lenient.validatesDomain) = (true, false)
        var pinned = lenient
        (pinned.pinning, pinned.pins) = (.publicKey, [TrustWorld.pin(leaf)])
        var foreign = pinned
        foreign.pins = [TrustWorld.pin(world.foreign)]
        let table: [(policy: TrustPolicy, code: DownloadError.Code?)] = [
            (lenient, nil), (pinned, nil), (foreign, .tlsUntrusted), (.standard, .tlsFailed),
        ]

        await withClient(configuration) { client in
            for (policy, code) in table {
                var request = TransferRequest(url: server.url())
                request.trust = TrustBook(entries: [], fallback: policy)
                let fetched = await client.fetch(request)
                #expect(fetched.code == code, "\(fetched.error?.message ?? fetched.text)")
            }
        }
    }

    /// What `--cacert` may mend is told from what it can't.
    @Test(arguments: [
        ("valid", false), ("self-signed", true), ("untrusted root", true), ("missing intermediate", true),
        ("expired", false), ("not yet valid", false), ("signed by a leaf", false),
        ("issuer claimed, not signed", false),
    ])
    func aChainSaysWhetherAnAuthorityIsWhatItLacks(kind: String, lacksAuthority: Bool) async throws {
        let world = TrustWorld()
        let shown = world.chain(kind)
        let server = TLSServer(shown.sent)
        defer { server.stop() }
        var policy = TrustPolicy.standard
        policy.authorities = world.authorities

        await withClient(TrustWorld.configuration) { client in
            var request = TransferRequest(url: server.url(host: shown.host))
            request.trust = TrustBook(entries: [], fallback: policy)
            let fetched = await client.fetch(request)
            #expect(fetched.chains.map(\.lacksAuthority) == [lacksAuthority])
            #expect(fetched.chains.map { $0.problem == nil } == [kind == "valid"])
        }
    }

    private func check(
        _ cell: TrustMatrixRow.Cell,
        _ server: TLSServer,
        _ host: String,
        _ client: TestClient
    ) async throws {
        let before = server.connections.count
        var request = TransferRequest(url: server.url(host: host))
        request.trust = TrustBook(entries: [], fallback: cell.policy)

        let fetched = await client.fetch(request)

        let name = cell.name
        if cell.expected == "+" {
            #expect(fetched.text == "hello", "\(name): \(fetched.error?.message ?? "")")
            #expect(fetched.decisions.map(\.verdict.isAccepted) == [true], "\(name)")
            return
        }
        #expect(fetched.decisions.map { "\($0.verdict.rule.rawValue)" } == [String(cell.expected)], "\(name)")
        // The first violation is the last: nothing is waited for that does not come.
        try #require(fetched.code == .tlsUntrusted, "\(name): \(fetched.text)")
        #expect(fetched.error?.message.contains(host) == true && fetched.news == ["trust", "ended"], "\(name)")
        // A refusal is the end of a handshake of its own.
        #expect(server.wait { $0.count == before + 1 && $0[before].isEnded }, "\(name)")
        #expect(server.connections.last?.byteCount == 0 && server.connections.last?.isShaken == false, "\(name)")
    }
}
