/// Decides whether a failed attempt is followed by another, and when.
///
/// Pure: chance is passed in. It counts nothing itself: the task keeps how many attempts
/// failed, and adds one where the decision says that this attempt counts.
public struct RetryPolicy: Equatable, Sendable {
    /// What follows a failed attempt.
    public enum Decision: Equatable, Sendable {
        /// Wait without a slot, then go on. An attempt that brought enough does not count.
        case wait(Duration, serverAsked: Bool, counts: Bool)
        /// The failure is final; the message says more where the server asked for too long a wait.
        case giveUp(DownloadError)
    }

    /// The longest wait that chance and repetition lead to.
    private static let longestBackoff: Duration = .seconds(300)
    private static let enoughProgress = 65_536

    /// Attempts after the first.
    public var retries: Int
    /// The longest `Retry-After` that is waited for; zero means no limit.
    public var maxRetryAfter: Duration

    /// The limits of the settings of the same names.
    public init(retries: Int, maxRetryAfter: Duration) {
        (self.retries, self.maxRetryAfter) = (retries, maxRetryAfter)
    }

    /// Judges one failed attempt of a GET or HEAD.
    ///
    /// - Parameters:
    ///   - error: Why it failed.
    ///   - failedAttempts: Attempts of the task that failed before and counted. `0...`
    ///   - received: Bytes that this attempt brought beyond what was there already.
    ///   - expected: The announced length, if any.
    ///   - random: Spreads the waits of many tasks. `0...1`
    /// - Returns: What to do now.
    public func decide(
        _ error: DownloadError,
        failedAttempts: Int,
        received: Int,
        expected: Int?,
        random: Double
    ) -> Decision {
        guard error.isTransient else { return .giveUp(error) }
        let counts = !isProgress(received, of: expected)
        guard !counts || failedAttempts < retries else { return .giveUp(error) }
        guard let wish = error.retryAfter else {
            return .wait(backoff(after: failedAttempts, random: random), serverAsked: false, counts: counts)
        }
        guard maxRetryAfter == .zero || wish <= maxRetryAfter else { return .giveUp(Self.tooLong(error, wish)) }
        return .wait(max(wish, .zero), serverAsked: true, counts: counts)
    }

    /// 64 KiB, or a hundredth of the whole.
    private func isProgress(_ received: Int, of expected: Int?) -> Bool {
        guard received < Self.enoughProgress else { return true }
        guard let expected, expected > 0 else { return false }
        return received > 0 && received >= (expected - 1) / 100 + 1
    }

    /// Half a second × 2ⁿ × (0.5…1).
    private func backoff(after failedAttempts: Int, random: Double) -> Duration {
        let doubled = Duration.milliseconds(500 << min(failedAttempts, 10))
        let share = 0.5 + min(max(random, 0), 1) / 2
        return .nanoseconds(Int64(Double(min(doubled, Self.longestBackoff).nanoseconds) * share))
    }

    private static func tooLong(_ error: DownloadError, _ wish: Duration) -> DownloadError {
        DownloadError(
            error.code,
            "\(error.message); the server asks to come back in \(text(wish)), which is longer than maxRetryAfter allows",
            status: error.status,
            body: error.body,
            retryAfter: wish,
            isTemporary: error.isTemporary
        )
    }

    /// In the two units that matter; years are counted too few rather than too many.
    private static func text(_ wish: Duration) -> String {
        let seconds = Int(wish.seconds.rounded(.up))
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600, seconds / 60)
        return switch days {
        case 732...: "more than \(days / 366) years"
        case 2...: "\(days) days \(hours % 24) h"
        case _ where hours > 0: "\(hours) h \(minutes % 60) min"
        case _ where minutes > 0: "\(minutes) min \(seconds % 60) s"
        default: "\(seconds) s"
        }
    }
}
