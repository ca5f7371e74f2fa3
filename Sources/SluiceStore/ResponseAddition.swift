import Glibc
import SluiceCore

/// A response on its way to the disk.
///
/// Shared by the loop, which answers by it meanwhile, and the writer: both look at it many
/// times, and a copy would retain every string of it.
final class ResponseAddition: Sendable {
    /// With its identifier and size.
    let response: StoredResponse
    /// Of its URL.
    let hash: Int64
    let body: ResponseBody
    /// Whether its file has a name among the bodies already, for the writer to look at.
    let isLinked: Bool
    /// In milliseconds since 1970.
    let used: Int64

    init(_ response: StoredResponse, hash: Int64, body: ResponseBody, isLinked: Bool = false, used: Int64) {
        (self.response, self.hash, self.body, self.isLinked) = (response, hash, body, isLinked)
        self.used = used
    }

    /// Closes what the body is read from: only when neither writer nor loop may still read it.
    deinit {
        if case .descriptor(let descriptor, _) = body { close(descriptor) }
    }

    var id: ResponseID { response.id }
}
