internal import SluiceCore

/// Batches of URLs that are fetched into the caches before somebody asks for them.
extension ImagePipeline {
    /// Submits a batch at the lowest level, for the caches alone.
    func prefetch(_ requests: [DownloadRequest]) -> BatchID {
        let batch = beginBatch(of: requests)
        for request in requests { submit(prefetching(request, batch)) }
        return batch
    }

    /// The same of a list that may be long: it is submitted next, in slices.
    func prefetchInSlices(_ requests: [DownloadRequest]) {
        let batch = beginBatch(of: requests)
        backlog.insertFirst(requests.map { prefetching($0, batch) })
    }

    private func beginBatch(of requests: [DownloadRequest]) -> BatchID {
        let batch = batches.begin(requests.count)
        if requests.isEmpty {
            emit(.session) { .prefetchProgress(batch, finished: 0, skipped: 0, total: 0, isEnd: true) }
        }
        return batch
    }

    private func prefetching(_ request: DownloadRequest, _ batch: BatchID) -> DownloadRequest {
        let wish = request.options
        // Without a checksum: what is stored answers no request that has one. Method and body only to be refused.
        let options = RequestOptions(
            headers: wish.headers,
            policy: wish.policy,
            priority: .low,
            saves: false,
            method: wish.method,
            body: wish.body,
            stores: wish.stores,
            thumbnail: wish.thumbnail
        )
        return DownloadRequest(request.url, options: options, source: .prefetch(batch), tag: request.tag)
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
