import SluiceCore

/// The requests of sessions that were taken over.
extension StateFile {
    /// What earlier processes left of bodies, by merge key.
    struct LeftBodies {
        /// Where those were saved to whose process died just then: the destinations of their requests.
        var saved: [String: Set<ExactText?>] = [:]
        /// Bytes of the parts.
        var partSizes: [String: Int] = [:]
    }

    /// Reads the requests of sessions, oldest first, in the order in which they are to be queued.
    func readRequests(
        of sessions: [Int],
        _ left: LeftBodies,
        into state: inout RememberedState,
        _ chores: inout StateChores
    ) throws(DatabaseError) {
        let options = try options.read()
        var order = RestoredOrder()
        for id in sessions {
            var found: [(request: RestoredRequest, isTakenOver: Bool)] = []
            try database.query(
                """
                SELECT r.task, r.receipt, r.url, r.options, r.source, r.tag, t.band, t.isPaused, t.priority, r.key,
                    r.origin, w.until, l.bytes, r.trust
                FROM request r JOIN task t ON t.session = r.session AND t.task = r.task
                    LEFT JOIN wait w ON w.session = t.session AND w.task = t.task
                        AND t.band = \(TaskRecord.activeBand) AND t.rank = \(TaskRecord.waitingRank) AND NOT t.isPaused
                    LEFT JOIN rate l ON l.session = t.session AND l.task = t.task
                WHERE r.session = ? ORDER BY t.band, t.rank, r.receipt
                """,
                .integer(Int64(id))
            ) { row throws(DatabaseError) in
                let place = RestoredRequest.Row(session: id, task: row.integer(0), receipt: row.integer(1))
                let url = row.text(2) ?? ""
                let key = row.text(9) ?? ""
                let destinations = left.saved[key]
                guard let options = options[row.integer(3)] else {
                    // Without them it would be another request: a GET for a POST.
                    let name = RequestURL.withoutCredentials(url)
                    let message = "what was saved of the request for \(name) is damaged: add it again"
                    if destinations == nil { state.problem = state.problem ?? StateProblem(message: message) }
                    chores.requests.append(place)
                    return
                }
                if let destinations, !options.saves || destinations.contains(options.place) {
                    // It has what it asked for.
                    chores.requests.append(place)
                    return
                }
                var request = DownloadRequest(url, options: options)
                (request.source, request.tag) = (SourceText.source(row.text(4) ?? ""), row.text(5))
                var restored = RestoredRequest(
                    row: place,
                    request: request,
                    band: row.integer(6),
                    isPaused: row.integer(7) != 0,
                    priority: row.isNull(8) ? nil : Priority(rawValue: UInt8(clamping: row.integer(8)))
                )
                (restored.key, restored.trust) = (key, row.text(13))
                (restored.hasSavedBody, restored.received) = (destinations != nil, left.partSizes[key])
                if !row.isNull(11) { restored.waitsUntil = Int64(row.integer(11)) }
                if !row.isNull(12) { restored.rate = row.integer(12) }
                found.append((restored, !row.isNull(10)))
            }
            if found.isEmpty { chores.sessions.append(id) }
            order.add(found)
        }
        state.requests = order.requests
    }
}
