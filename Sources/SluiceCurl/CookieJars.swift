import SluiceCore

/// The cookies of all transfers under one kind of trust, apart for each user: a cookie that was set for one says to a
/// server who asks, also where another user, or nobody, is named.
///
/// Confined to the loop's thread. Must outlive the handles that use it.
final class CookieJars {
    /// Who a request says that it is of; cookies of the user's own are no name.
    private struct User: Hashable {
        let credentials: Credentials?
        let authorization: [String]
    }

    private let ofNobody = CurlShare()
    private var ofUsers: [User: CurlShare] = [:]

    /// The jar of a request, for all places that it is led to.
    func jar(of request: TransferRequest) -> CurlShare {
        let fields = request.headers.filter { $0.isNamed("authorization") }
        if fields.isEmpty, request.credentials == nil { return ofNobody }
        let user = User(credentials: request.credentials, authorization: fields.map(\.value))
        if let known = ofUsers[user] { return known }
        let jar = CurlShare()
        ofUsers[user] = jar
        return jar
    }
}
