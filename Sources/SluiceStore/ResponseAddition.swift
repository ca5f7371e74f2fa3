import Glibc
import SluiceCore

/// A response on its way to the disk.
///
/// Shared by the loop, which answers by it meanwhile, and the writer: both look at it many
/// times, and a copy would retain every string of it.
final class ResponseAddition: Sendable {
    /// What is done for a file of the user's, who may delete it before the writer has stored it.
    enum Place: Equatable {
        /// Nothing.
        case loose
        /// It has its name among the bodies already, for the writer to look at.
        case linked
        /// It got that name with its first one, so nobody need look.
        case reserved
        /// It is open.
        case open(Int32)

        /// Whether there is a name that goes where nothing is stored.
        var hasName: Bool { self == .linked || self == .reserved }
    }

    /// With its identifier and size.
    let response: StoredResponse
    /// Of its URL.
    let hash: Int64
    let body: ResponseBody
    /// Where the bytes of a file of the user's are sure to be until the writer comes to them.
    let place: Place
    /// In milliseconds since 1970.
    let used: Int64
    /// All identifiers below were added by now, or never will be.
    let settled: Int64

    init(
        _ response: StoredResponse,
        hash: Int64,
        body: ResponseBody,
        place: Place = .loose,
        used: Int64,
        settled: Int64
    ) {
        (self.response, self.hash, self.body, self.place) = (response, hash, body, place)
        (self.used, self.settled) = (used, settled)
    }

    /// Closes what the body is read from: only when neither writer nor loop may still read it.
    deinit {
        if case .descriptor(let descriptor, _) = body { close(descriptor) }
        if case .open(let descriptor) = place { close(descriptor) }
    }

    var id: ResponseID { response.id }
}
