internal import SluiceCore

/// What no body may be: refused by its status, too large, or a bomb.
extension TransferBody {
    /// What is not decoded is judged by its head.
    func judgeDimensions() throws(DownloadError) {
        if wishes.decodes, count <= ImagePipeline.decodeLimit { return }
        guard let info else {
            if isHeaderBroken {
                throw DownloadError(.badImage, "the server calls it \(shownType), but its header is none")
            }
            return
        }
        if info.width == 0 || info.height == 0 { throw DownloadError(.badImage, "the image has no pixels") }
        let (pixels, isAbsurd) = info.width.multipliedReportingOverflow(by: info.height)
        guard isAbsurd || (wishes.maxPixels > 0 && pixels > wishes.maxPixels) else { return }
        let size = "\(info.width) × \(info.height) pixels"
        let limit = DownloadError.Limit.raising(.maxPixels, to: isAbsurd ? nil : pixels)
        throw DownloadError(
            .tooLarge,
            limit == nil
                ? "the image has \(size), more than any maxPixels allows"
                : "the image has \(size), more than maxPixels \(wishes.maxPixels) allows; raise it",
            limit: limit
        )
    }

    /// Whether all bytes were seen that could have told the dimensions, and they did not.
    private var isHeaderBroken: Bool {
        guard saysImage, let format, format.isDecodable else { return false }
        switch format {
        // Their dimensions stand at a fixed place; others may put much before them.
        case .png, .gif, .webp: return true
        default: return count <= Self.prefixLength
        }
    }

    func judge(_ total: Int, received: Int) throws(DownloadError) {
        if wishes.maxFileSize > 0, total > wishes.maxFileSize { throw tooLarge(total) }
        guard head?.isUnpacked == true else { return }
        let limit = format != nil || wishes.acceptsOnlyImages ? UnpackingLimit.images : .files
        // What an earlier transfer left came of other bytes.
        try limit.judge(total - offset, received: received)
    }

    /// Judges what arrived and what is announced by limits that were changed on the way.
    ///
    /// What has no head yet, or may still turn out to be an image, is judged when more of it is there.
    func judgeAnew() throws(DownloadError) {
        guard let head, !isRefused, !wishes.isHead, head.status != 304 else { return }
        let size = max(count, resumedTotal ?? head.expected ?? 0)
        if wishes.maxFileSize > 0, size > wishes.maxFileSize { throw tooLarge(size) }
        if !isDecided, isRefusable { try decideByPending() }
        if isDecided { try refuseOther() }
    }

    func tooLarge(_ size: Int) -> DownloadError {
        exceedsFileSize = true
        // Packed, it has another size than is announced; and of what is not announced nobody knows how large it will be.
        let whole = resumedTotal ?? (head?.isEncoded == true ? nil : head?.expected)
        return DownloadError(
            .tooLarge,
            "\(size) bytes are more than maxFileSize \(wishes.maxFileSize) allows; raise it",
            limit: DownloadError.Limit(.maxFileSize, needed: whole.map { max($0, size) })
        )
    }

    func refusal() -> DownloadError {
        let status = head?.status ?? 0
        let text = bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        // Some refuse a range so, who would give the whole; others mean the URL, and then another one continues the part.
        let mayMeanRange = resumption != nil && [400, 403, 405].contains(status)
        let advice = mayMeanRange ? ", asked for the rest of what is there; without its .part all is asked for" : ""
        return DownloadError(
            .badStatus,
            "the server answered \(StatusPhrase.with(status))\(advice)",
            status: status,
            body: text,
            retryAfter: head?.retryAfter
        )
    }
}
