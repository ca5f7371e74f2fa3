internal import SluiceCore
internal import SluicePipeline
internal import SluiceTerminal
internal import SluiceUI

/// Gets the pictures that the screen asks for: asks the pipeline, and scales what it answers on the pool.
///
/// The screen gets them ready and small; it never sees an image at its full size.
final class PictureDesk: Sendable {
    private struct State {
        /// Questions that are on their way, and whether the answer is still wanted.
        var wanted: [Int: Bool] = [:]
        var lastPicture = 0
    }

    /// All frames of one animation, as small as the screen needs them, take so many bytes at most.
    private static let frameBytes = 8_388_608

    private let session: Session
    private let mailbox: Mailbox
    private let state = Locked(State())

    init(_ session: Session, _ mailbox: Mailbox) { (self.session, self.mailbox) = (session, mailbox) }

    /// Submits it, never to the network and without a file.
    func submit(_ request: PictureRequest) {
        state.withLock { $0.wanted[request.ask] = true }
        let options = RequestOptions(policy: .cacheOnly, saves: false)
        let ask = DownloadRequest(request.url, options: options, source: .view(request.ask))
        session.pipeline.submit(ask) { [self] outcome in
            if let image = outcome.image {
                session.inBackground(.low) { [self] in finish(request, image) }
            } else {
                finish(request, outcome.error?.message ?? "the image was not kept")
            }
        }
    }

    /// Reads it from the file that was saved for it.
    func read(_ request: PictureRequest) {
        state.withLock { $0.wanted[request.ask] = true }
        session.pipeline.readSaved(request.url) { [self] result in
            switch result {
            case .success(let image): session.inBackground(.low) { [self] in finish(request, image) }
            case .failure(let error): finish(request, error.message)
            }
        }
    }

    func drop(_ ask: Int) {
        state.withLock { state in
            if state.wanted[ask] != nil { state.wanted[ask] = false }
        }
    }

    private func finish(_ request: PictureRequest, _ why: String) {
        let isWanted = state.withLock { $0.wanted.removeValue(forKey: request.ask) ?? false }
        if isWanted { mailbox.post(answer: .picture(ask: request.ask, .none(why))) }
    }

    private func finish(_ request: PictureRequest, _ image: DecodedImage) {
        guard state.withLock({ $0.wanted[request.ask] == true }) else {
            state.withLock { $0.wanted[request.ask] = nil }
            return
        }
        let proof = Self.proof(request, image)
        let (isWanted, id) = state.withLock { state in
            state.lastPicture += 1
            return (state.wanted.removeValue(forKey: request.ask) ?? false, state.lastPicture)
        }
        guard isWanted else { return }
        mailbox.post(answer: .picture(ask: request.ask, .picture(Picture(id: id, of: image, proof: proof))))
    }

    private static func proof(_ request: PictureRequest, _ image: DecodedImage) -> DecodedImage {
        var (width, height) = (request.width, request.height)
        guard request.moves, let animation = image.animation else {
            let still = DecodedImage(info: image.info, bitmap: image.bitmap)
            return Resampler.thumbnail(still, width: width, height: height)
        }
        while animation.frames.count * width * height * 4 > frameBytes, width > 96 {
            (width, height) = (width * 3 / 4, height * 3 / 4)
        }
        return Resampler.thumbnail(image, width: width, height: height)
    }
}
