package import SluiceCore

/// Decides whether a thread that has nothing to do looks out for work before it sleeps.
///
/// To wake a thread takes who does it ten microseconds and more where processors sleep with their threads, virtual ones
/// above all, and a transfer's thread would wake the writer for each small file. So where work comes fast, a thread
/// looks out for more of it for a moment; where it does not, it sleeps at once.
/// Source: halt polling of hypervisors (Linux, virt/kvm/halt-polling.rst).
package struct Lingering: Sendable {
    /// How long one look may last: what is wasted each time that fast work stops coming.
    package static let longest = Duration.microseconds(500)

    /// Whether the last wait was over while one would have looked.
    private var cameSoon = false

    /// Knows of no work yet, and so begins by sleeping.
    package init() {}

    /// Until when to look out, in a wait that begins now; `nil` where the thread shall sleep at once.
    package func lookout(from now: Timestamp) -> Timestamp? { cameSoon ? now + Self.longest : nil }

    /// Learns how long a wait was, from its beginning to the work that ended it, asleep or not.
    package mutating func waited(_ duration: Duration) { cameSoon = duration <= Self.longest }
}
