internal import SluiceCore

/// Batches of URLs that are fetched into the caches before somebody asks for them.
extension ImagePipeline {
    /// Begins a batch for the caches alone, at the lowest level; its requests are submitted next, in slices.
    ///
    /// - Parameters:
    ///   - requests: May be many.
    ///   - reply: Who hears the number of the batch, once all its requests are submitted.
    func prefetch(_ requests: [DownloadRequest], _ reply: (@Sendable (PipelineReply) -> Void)? = nil) {
        let batch = batches.begin(requests.count)
        if requests.isEmpty {
            emit(.session) { .prefetchProgress(batch, finished: 0, skipped: 0, total: 0, isEnd: true) }
        }
        let answer = reply.map { CommandBacklog.Item.answer(.batch(batch), $0) }
        backlog.insertFirst(prefetching(requests, batch), then: answer)
    }

    private func prefetching(_ requests: [DownloadRequest], _ batch: BatchID) -> [DownloadRequest] {
        // What they have in common stays one object.
        var last: (wish: RequestOptions, options: RequestOptions)?
        return requests.map { request in
            let options: RequestOptions
            if let last, last.wish === request.options {
                options = last.options
            } else {
                options = Self.prefetching(request.options)
                last = (request.options, options)
            }
            return DownloadRequest(request.url, options: options, source: .prefetch(batch), tag: request.tag)
        }
    }

    private static func prefetching(_ wish: RequestOptions) -> RequestOptions {
        // Without a checksum: what is stored answers no request that has one. Method and body only to be refused.
        RequestOptions(
            headers: wish.headers,
            policy: wish.policy,
            priority: .low,
            saves: false,
            method: wish.method,
            body: wish.body,
            stores: wish.stores,
            thumbnail: wish.thumbnail
        )
    }

    /// Why a request can't be loaded ahead; `nil` for one that can, and for one that nobody loads ahead.
    func whyNotAhead(_ request: DownloadRequest) -> DownloadError? {
        guard case .prefetch = request.source, request.options.method != "GET" || request.options.body != nil else {
            return nil
        }
        return DownloadError(.unsupported, "only a GET without a body can be prefetched, since no cache answers others")
    }

    /// Cancels what a batch still waits for.
    ///
    /// - Returns: Whether that was anything.
    func cancelPrefetch(_ batch: BatchID) -> Bool {
        batches.receipts(of: batch).count { cancel($0) } > 0
    }

    /// Counts a prefetched URL that a cache held, or that has its outcome.
    func prefetched(_ source: DownloadRequest.Source, receipt: ReceiptID?, wasCached: Bool) {
        guard case .prefetch(let batch) = source,
            let state = batches.count(in: batch, receipt, wasCached: wasCached)
        else { return }
        emit(.session) {
            .prefetchProgress(
                batch,
                finished: state.finished,
                skipped: state.skipped,
                total: state.total,
                isEnd: state.isEnded
            )
        }
    }
}
