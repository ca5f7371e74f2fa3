import SluiceCore

/// Puts what several sessions left into one order, each after the ones before it.
///
/// A session that ends while it takes over an earlier one leaves the front of that queue, and perhaps requests of its
/// own behind it. What is left of the earlier one belongs between the two.
struct RestoredOrder {
    /// By band.
    private var bands: [Int: [RestoredRequest]] = [:]

    /// Adds a session that is younger than those before.
    ///
    /// - Parameter session: In the order in which it had them, and whether it had taken each over from an earlier one.
    mutating func add(_ session: [(request: RestoredRequest, isTakenOver: Bool)]) {
        var (own, places): ([Int: [RestoredRequest]], [Int: Int]) = ([:], [:])
        for (request, isTakenOver) in session {
            own[request.band, default: []].append(request)
            if isTakenOver { places[request.band] = own[request.band]?.count }
        }
        for (band, requests) in own {
            var all = requests
            if let earlier = bands[band] { all.insert(contentsOf: earlier, at: places[band] ?? 0) }
            bands[band] = all
        }
    }

    /// All of them: those of the first band in front.
    var requests: [RestoredRequest] { bands.sorted { $0.key < $1.key }.flatMap(\.value) }
}
