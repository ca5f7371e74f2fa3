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

struct FailedListTests {
    private let gone = DownloadError(.badStatus, "410", status: 410)
    private let broken = DownloadError(.badImage, "broken")

    @Test func entryEndsWithItsTime() {
        var list = FailedList()
        list.insert(key(1), gone, until: at(10))
        #expect(list.entry(for: key(1), now: at(9))?.error == gone)
        #expect(list.entry(for: key(1), now: at(9))?.until == at(10))
        #expect(list.entry(for: key(1), now: at(10)) == nil)
        #expect(list.entry(for: key(2), now: at(0)) == nil)

        list.expire(now: at(9))
        #expect(list.count == 1)
        list.expire(now: at(10))
        #expect(list.count == 0)
    }

    @Test func laterFailureLastsLonger() {
        var list = FailedList()
        list.insert(key(1), gone, until: at(10))
        list.insert(key(1), broken, until: at(20))
        list.expire(now: at(15))
        #expect(list.entry(for: key(1), now: at(15))?.error == broken)
        list.expire(now: at(25))
        #expect(list.count == 0)
    }

    @Test func removedAndCuredKeysAreForgotten() {
        var list = FailedList()
        list.insert(key(1), gone, until: at(10))
        list.insert(key(2), broken, until: at(10))
        list.insert(key(3), gone, until: at(10))
        #expect(list.remove(key(1)) == true)
        #expect(list.remove(key(1)) == false)
        list.clear { $0.code == .badImage }
        #expect(list.entry(for: key(2), now: at(0)) == nil)
        #expect(list.count == 1)
    }

    private func key(_ number: Int) -> MergeKey { MergeKey(url: "http://h/\(number)") }
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(nanoseconds: seconds * 1_000_000_000) }
}

struct TransferMeterTests {
    @Test(arguments: [10, 100, 1000]) func steadyRateIsMeasuredFromTheStart(step: Int) {
        var meter = TransferMeter()
        for time in stride(from: 0, through: 20_000, by: step) {
            meter.update(total: time * 50, now: at(time))
            if time >= 1000 { #expect(abs(meter.rate - 50_000) < 500, "after \(time) ms") }
        }
    }

    @Test func silenceFadesAndEnds() {
        var meter = TransferMeter()
        meter.update(total: 0, now: at(0))
        meter.update(total: 1_000_000, now: at(1000))
        let first = meter.rate
        meter.update(total: 1_000_000, now: at(3000))
        #expect(meter.rate < first / 2)
        meter.update(total: 1_000_000, now: at(120_000))
        #expect(meter.rate == 0)
    }

    @Test func afterFiveSecondsWithoutAByteThereIsNoRate() {
        var meter = TransferMeter()
        for time in stride(from: 0, through: 10_000, by: 100) { meter.update(total: time * 1_000, now: at(time)) }
        #expect(meter.lastNews == at(10_000))
        meter.update(total: 10_000_000, now: at(14_999))
        #expect(meter.rate > 0, "this may be a pause between two")
        meter.update(total: 10_000_000, now: at(15_000))
        #expect(meter.rate == 0 && meter.lastNews == at(10_000))
        meter.update(total: 10_001_000, now: at(15_500))
        #expect(meter.rate > 0 && meter.lastNews == at(15_500))
    }

    @Test func newStartAndOldTimesDoNoHarm() {
        var meter = TransferMeter()
        meter.update(total: 5_000_000, now: at(1000))
        #expect(meter.rate == 0, "what came before the first reading is not its own")
        meter.update(total: 10, now: at(500))
        meter.update(total: 1010, now: at(2000))
        #expect(meter.rate > 0 && meter.rate < 2000)
    }

    private func at(_ milliseconds: Int) -> Timestamp { Timestamp(nanoseconds: Int64(milliseconds) * 1_000_000) }
}
