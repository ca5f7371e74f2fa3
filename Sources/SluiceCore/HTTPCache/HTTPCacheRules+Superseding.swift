/// What is stored that must not answer any more, since something newer came.
extension HTTPCacheRules {
    /// What was stored for such a request, where its new answer fits all: it must not go before that for ever.
    public static func variants(
        _ stored: [StoredResponse],
        supersededBy response: StoredResponse,
        to request: CacheRequest
    ) -> [StoredResponse] {
        guard response.vary.isEmpty else { return [] }
        return stored.filter {
            !$0.vary.isEmpty && $0.owner == response.owner && request.selector($0.vary) == $0.selector
        }
    }

    /// The older versions that go where a whole newer one came that is not stored itself: they must not go before what the
    /// user has, and none of them may step into the place of another.
    ///
    /// - Parameters:
    ///   - stored: For the address that answered.
    ///   - head: The newer answer's.
    ///   - request: What was asked.
    ///   - isContinued: Whether the answer continued a part by its validator, and so is whole with status 206, or with 416
    ///     where all of it was there.
    ///   - responseTime: When its head arrived, in milliseconds since 1970.
    /// - Returns: None if all that is stored may go on answering.
    public static func superseded(
        _ stored: [StoredResponse],
        by head: ResponseHead,
        to request: CacheRequest,
        isContinued: Bool,
        responseTime: Int64
    ) -> [StoredResponse] {
        let isWhole = isContinued || (200...299).contains(head.status) && head.status != 206
        guard request.method == "GET", !request.isPartial, isWhole else { return [] }
        // What was continued by its strong validator, or was all there, may be of the version that is stored.
        let continued = isContinued && head.status != 200 ? head.entityTag : nil
        return fitting(stored, request).filter { old in
            old.responseTime < responseTime && (continued == nil || old.strongTag != continued)
        }
    }
}

extension HTTPCacheWhy {
    /// Whether an answer that is not stored for this reason is a newer version all the same.
    ///
    /// Other reasons lie in the request, or pass: what is stored may go on answering.
    public var supersedesStored: Bool {
        switch self {
        case .status, .notKeptInMemory, .varyAll, .varyCookie, .noStore: true
        default: false
        }
    }
}
