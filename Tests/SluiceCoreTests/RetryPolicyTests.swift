import SluiceCore
import Testing

struct RetryPolicyTests {
    private let policy = RetryPolicy(retries: 2, maxRetryAfter: .seconds(300))
    private let lost = DownloadError(.connectionLost, "the connection was lost")

    @Test(arguments: [
        (0, 0.0, 250), (0, 1.0, 500), (1, 0.0, 500), (1, 1.0, 1000), (2, 0.5, 1500), (30, 1.0, 300_000), (2, 7.0, 2000),
    ])
    func waitsDoubleWithSomeChance(failed: Int, random: Double, milliseconds: Int) {
        let policy = RetryPolicy(retries: 100, maxRetryAfter: .zero)
        let decision = policy.decide(lost, failedAttempts: failed, received: 0, expected: nil, random: random)
        #expect(decision == .wait(.milliseconds(milliseconds), serverAsked: false, counts: true))
    }

    @Test func thirdFailureIsFinal() {
        #expect(decide(failed: 1).isWait)
        #expect(decide(failed: 2) == .giveUp(lost))
    }

    @Test(arguments: [
        (65_536, nil, true), (65_535, nil, false), (0, 10, false), (1, 100, true), (1, 101, false), (2, 101, true),
        (100, 10_000, true), (99, 10_000, false), (1, 1, true), (0, 0, false), (65_536, 1 << 40, true),
    ])
    func attemptWithProgressDoesNotCount(received: Int, expected: Int?, isProgress: Bool) {
        let decision = policy.decide(lost, failedAttempts: 2, received: received, expected: expected, random: 0)
        #expect(decision.isWait == isProgress)
        if case .wait(_, _, let counts) = decision { #expect(!counts) }
    }

    @Test func permanentFailuresAreFinal() {
        for code in [DownloadError.Code.badImage, .cancelled, .tlsUntrusted, .hostNotFound, .badURL] {
            let error = DownloadError(code, "no")
            let decision = policy.decide(error, failedAttempts: 0, received: 1 << 20, expected: nil, random: 0)
            #expect(decision == .giveUp(error))
        }
    }

    @Test func onlySixStatusesMayPass() {
        let transient = (100...599).filter { DownloadError(.badStatus, "no", status: $0).isTransient }
        #expect(transient == [408, 429, 500, 502, 503, 504])
    }

    /// Whether a host without an address may have one later, its code alone does not tell.
    @Test func onlyFailuresOfTheConnectionMayPass() {
        let codes = DownloadError.Code.allCases
        let passing: Set<DownloadError.Code> = [.timedOut, .cannotConnect, .connectionLost, .truncated]
        #expect(Set(codes.filter { DownloadError($0, "no").isTransient }) == passing)
        let temporary = codes.filter { DownloadError($0, "no", isTemporary: true).isTransient }
        #expect(Set(temporary) == passing.union([.hostNotFound]))
    }

    @Test func serverDecidesHowLongToWait() {
        #expect(decide(retryAfter: 2) == .wait(.seconds(2), serverAsked: true, counts: true))
        #expect(decide(retryAfter: 300) == .wait(.seconds(300), serverAsked: true, counts: true))
        guard case .giveUp(let error) = decide(retryAfter: 3700) else {
            Issue.record("waits longer than allowed")
            return
        }
        #expect(error.message.contains("1 h 1 min") && error.code == .badStatus && error.status == 503)
        let patient = RetryPolicy(retries: 2, maxRetryAfter: .zero)
        #expect(patient.decide(busy(3700), failedAttempts: 0, received: 0, expected: nil, random: 0).isWait)
    }

    @Test(arguments: [
        (7_322, "2 h 2 min"), (172_800, "2 days 0 h"), (31 * 86_400, "31 days 0 h"), (731 * 86_400, "731 days 0 h"),
        (5 * 366 * 86_400, "more than 5 years"),
    ])
    func howLongTheServerAsksForIsTold(seconds: Int, text: String) {
        guard case .giveUp(let error) = decide(retryAfter: seconds) else {
            Issue.record("waits longer than allowed")
            return
        }
        #expect(error.message.contains("come back in \(text),"))
    }

    private func busy(_ seconds: Int) -> DownloadError {
        DownloadError(.badStatus, "503", status: 503, retryAfter: .seconds(seconds))
    }

    private func decide(retryAfter seconds: Int) -> RetryPolicy.Decision {
        policy.decide(busy(seconds), failedAttempts: 0, received: 0, expected: nil, random: 0)
    }

    private func decide(failed: Int) -> RetryPolicy.Decision {
        policy.decide(lost, failedAttempts: failed, received: 0, expected: nil, random: 0)
    }
}

extension RetryPolicy.Decision {
    fileprivate var isWait: Bool { if case .wait = self { true } else { false } }
}
