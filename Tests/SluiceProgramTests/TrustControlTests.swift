import SluiceCore
import SluiceTestSupport
import SluiceTestTLS
import Testing

/// Whom to trust, said over the control socket of the real program.
@Suite(.timeLimit(.minutes(5)))
struct TrustControlTests {
    private let authority = TestCertificate(TestCertificate.Wishes("Test Authority") { $0.isAuthority = true })
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func start(_ options: [String] = []) throws -> (GetRun, ControlPeer) {
        let run = try GetRun(["--socket", scratch.path("s"), "--retries", "0", "--no-save"] + options, in: scratch)
        return (run, try ControlPeer(scratch.path("s")))
    }

    private func leaf() -> TestCertificate { .leaf(["localhost"], by: authority) }

    /// How a request for a path ends: `success`, or the code of its error.
    private func outcome(of url: String, _ peer: ControlPeer) throws -> String {
        let answer = try peer.call("submit", #"{"url":"\#(url)"}"#)
        guard let task = answer["task"]?.int else { return answer["error"]?["code"]?.string ?? "none" }
        try peer.call("wait")
        let report = try peer.call("task", #"{"task":\#(task)}"#)
        return report["error"]?["code"]?.string ?? report["outcome"]?.string ?? "none"
    }

    @Test func aPolicyHoldsFromItsAnswerOn() throws {
        let leaf = leaf()
        let server = TLSServer([leaf])
        defer { server.stop() }
        let (run, peer) = try start()
        let host = "localhost:\(server.port)"

        #expect(try outcome(of: server.url("/1"), peer) == "tlsUntrusted", "nobody vouches for it")
        let lenient = try peer.call("trust.set", #"{"host":"\#(host)","allowInvalid":true,"validatesDomain":false}"#)
        #expect(lenient["from"] == .null && lenient["to"]?["allowInvalid"] == .bool(true))
        #expect(try outcome(of: server.url("/2"), peer) == "success")
        #expect(try outcome(of: server.url("/1"), peer) == "success", "a refusal is forgotten with its policy")

        let file = scratch.write(authority.pem, to: "ca.pem")
        let strict = try peer.call("trust.set", #"{"host":"\#(host)","cacert":"\#(file)","pins":["\#(leaf.pin)"]}"#)
        #expect(strict["from"]?["allowInvalid"] == .bool(true))
        #expect(strict["to"]?["pinning"] == .string("publicKey") && strict["to"]?["cacert"] == .string(file))
        #expect(try outcome(of: server.url("/3"), peer) == "success")
        let wrong = #"{"host":"\#(host)","cacert":"\#(file)","pins":["\#(noKey)"]}"#
        try peer.call("trust.set", wrong)
        #expect(try outcome(of: server.url("/4"), peer) == "tlsUntrusted", "the live connection is not used")
        let certificates = #"{"host":"\#(host)","cacert":"\#(file)","pinning":"certificate","pins":["\#(file)"]}"#
        try peer.call("trust.set", certificates)
        #expect(try outcome(of: server.url("/5"), peer) == "success")

        let list = try peer.call("trust.list").array ?? []
        #expect(list.map { $0["host"]?.string } == ["*", host])
        #expect(list.last?["pins"] == .array([.string("\(file):1")]))
        #expect(try peer.call("trust.remove", #"{"host":"\#(host)"}"#)["removed"] == .bool(true))
        #expect(try peer.call("trust.remove", #"{"host":"\#(host)"}"#)["removed"] == .bool(false))
        #expect(try outcome(of: server.url("/6"), peer) == "tlsUntrusted")
        try peer.call("quit")
        let result = try run.finish()
        let rules = result.events.named("trust.decided").compactMap { $0["rule"]?.int }
        #expect(rules == [3, 3, 3, 6, 6, 5, 3], "\(rules)")
        #expect(result.events.contains { $0["event"]?.string == "warning" && $0["code"]?.string == "insecure" })
    }

    /// A refusal by every rule, each beside a live connection that the policy before it accepted.
    @Test(arguments: [false, true]) func whatIsRefusedHasNoAnswerThoughAConnectionIsLive(isHTTP2: Bool) throws {
        var behaviour = TLSServer.Behaviour()
        behaviour.offersHTTP2 = isHTTP2
        let server = TLSServer([leaf()], behaviour)
        defer { server.stop() }
        let (run, peer) = try start()
        let file = scratch.write(authority.pem, to: "ca.pem")
        let foreign = scratch.write(TestCertificate(TestCertificate.Wishes("Foreign")).pem, to: "foreign.pem")
        // Not the name that the certificate has.
        let host = "127.0.0.1:\(server.port)"
        let policies = [
            #""allowInvalid":true"#, #""cacert":"\#(file)""#, #""validatesDomain":false"#,
            #""pins":["\#(noKey)"]"#,
            #""cacert":"\#(file)","validatesDomain":false,"pinning":"certificate","pins":["\#(foreign)"]"#,
            #""cacert":"\#(file)","validatesDomain":false,"pins":["\#(noKey)"]"#,
        ]

        for (place, policy) in policies.enumerated() {
            try peer.call("trust.set", #"{"host":"\#(host)","allowInvalid":true,"validatesDomain":false}"#)
            #expect(try outcome(of: server.url("/lenient\(place)", host: "127.0.0.1"), peer) == "success")
            try peer.call("trust.set", #"{"host":"\#(host)",\#(policy)}"#)
            #expect(try outcome(of: server.url("/strict\(place)", host: "127.0.0.1"), peer) == "tlsUntrusted")
        }

        try peer.call("quit")
        let events = try run.finish().events
        let rules = events.named("trust.decided").compactMap { $0["rule"]?.int }
        #expect(rules == [3, 1, 3, 2, 3, 3, 3, 4, 3, 5, 3, 6], "\(rules)")
        let answered = events.named("task.response").compactMap { $0["finalURL"]?.string }
        #expect(answered.count == policies.count && answered.allSatisfy { $0.contains("/lenient") }, "\(answered)")
        #expect(server.wait { $0.allSatisfy(\.isEnded) })
        let (live, refused) = (server.connections.prefix(1), server.connections.dropFirst())
        #expect(live.map(\.requests.count) == [policies.count], "one connection was live all the time")
        #expect(live.map(\.isHTTP2) == [isHTTP2])
        #expect(refused.count == policies.count && refused.allSatisfy { $0.byteCount == 0 && !$0.isShaken })
    }

    @Test func theDefaultCanBeChangedAndComesBack() throws {
        let server = TLSServer([leaf()])
        defer { server.stop() }
        let (run, peer) = try start()
        let file = scratch.write(authority.pem, to: "ca.pem")

        try peer.call("trust.set", #"{"host":"*","cacert":"\#(file)"}"#)
        #expect(try outcome(of: server.url("/1"), peer) == "success")
        try peer.call("trust.remove", #"{"host":"*"}"#)
        #expect(try outcome(of: server.url("/2"), peer) == "tlsUntrusted")
        try peer.call("quit")
        _ = try run.finish()
    }

    /// Parameters, the field that is named, and what is said to be allowed.
    @Test func whatIsIllFormedIsNamedAndChangesNothing() throws {
        let (run, peer) = try start()
        let file = scratch.write(authority.pem, to: "ca.pem")
        let key = scratch.write(authority.keyPEM, to: "ca.key")
        let empty = scratch.write("", to: "empty.pem")
        let damaged = scratch.write("-----BEGIN CERTIFICATE-----\nAA?A\n-----END CERTIFICATE-----\n", to: "bad.pem")
        let cases: [(String, String, String)] = [
            ("{}", "host", "missing"), (#"{"host":5}"#, "host", "a string"),
            (#"{"host":"a b"}"#, "host", "*.site.example"),
            (#"{"host":"a","pinning":"keys"}"#, "pinning", "none, publicKey, certificate"),
            (#"{"host":"a","pinning":"publicKey"}"#, "pinning", "without pins"),
            (#"{"host":"a","pins":"sha256/AAAA"}"#, "pins", "array of strings"),
            (#"{"host":"a","pins":["sha256/AAAA"]}"#, "pins", "44 characters"),
            (#"{"host":"a","pins":["\#(noKey)"],"pinning":"certificate"}"#, "pinning", "hash of a key"),
            (#"{"host":"a","pins":["ca.pem"]}"#, "pins", "absolute path"),
            (#"{"host":"a","pins":["\#(scratch.path("gone.pem"))"]}"#, "pins", "No such file"),
            (#"{"host":"a","pins":["\#(empty)"]}"#, "pins", "empty.pem:1"),
            (#"{"host":"a","cacert":"\#(damaged)"}"#, "cacert", "bad.pem:2"),
            (#"{"host":"a","cacert":"/dev/zero"}"#, "cacert", "no plain file"),
            (#"{"host":"a","cert":"\#(file)"}"#, "key", "no private key"),
            (#"{"host":"a","key":"\#(key)"}"#, "key", "cert"),
            (#"{"host":"a","cert":"\#(file)","key":"\#(file)"}"#, "key", "no private key"),
            (#"{"host":"a","allowInvalid":1}"#, "allowInvalid", "true or false"),
            (#"{"host":"a","insecure":true}"#, "insecure", "trust.set takes"),
        ]
        for (parameters, field, allowed) in cases {
            let refusal = try peer.refusal("trust.set", parameters)
            #expect(refusal.code == -32602, "\(parameters)")
            #expect(refusal.message.hasPrefix(field + ":") && refusal.message.contains(allowed), "\(refusal.message)")
        }
        #expect(try peer.refusal("trust.remove", "{}").message.hasPrefix("host:"))
        #expect(try peer.refusal("trust.list", #"{"host":"a"}"#).code == -32602)
        let list = try peer.call("trust.list").array ?? []
        #expect(list.count == 1 && list[0]["host"] == .string("*") && list[0]["pinning"] == .string("none"))
        try peer.call("quit")
        _ = try run.finish()
    }
}

/// The hash of no key.
private let noKey = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
