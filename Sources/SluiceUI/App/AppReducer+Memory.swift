internal import SluiceCore

/// What was asked to leave the memory cache.
struct PendingRemoval: Equatable, Sendable {
    let serial: Int
    /// Names of the images; not sanitised.
    let names: [String]
}

/// Taking single images out of the memory cache.
extension AppReducer {
    static func dropImages(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        let images = images(state)
        guard !images.isEmpty else { return say(state.whyNothingToDrop, .dim, &state, now) }
        state.lastRemoval += 1
        state.removal = PendingRemoval(serial: state.lastRemoval, names: images.map(\.name))
        state[list: state.focus].selection.clear()
        change.send(.removeImages(ImageRemoval(serial: state.lastRemoval, urls: images.map(\.url))))
    }

    /// Says what came of it: only the pipeline knows what is in memory.
    static func take(removal answer: ImageRemoval.Answer?, _ state: inout AppState, _ now: Timestamp) {
        guard let answer, let removal = state.removal, answer.serial == removal.serial else { return }
        state.removal = nil
        let name = removal.names.count == 1 ? removal.names[0] : nil
        guard answer.removed > 0 else {
            return say(name.map { "\($0) is not in memory" } ?? "none of them is in memory", .dim, &state, now)
        }
        let what = name ?? Format.plural(answer.removed, "image")
        say("dropped \(what) from memory, \(Format.bytes(answer.freed).text) freed", .ok, &state, now)
    }

    /// The images that the key is for, each URL once.
    fileprivate static func images(_ state: AppState) -> [(url: String, name: String)] {
        guard state.focus != .preview else { return state.shownImage.map { [$0] } ?? [] }
        var seen: Set<String> = []
        return ends(state).filter { $0.image != nil && seen.insert($0.url).inserted }.map { end in
            let file = end.file.map(PathText.name(of:))
            return (end.url, file ?? EventSentence.name(end.url))
        }
    }
}

extension AppState {
    /// Whether the key would find an image that may still be in memory.
    var hasDroppableImage: Bool {
        // Rows that somebody selected may be many, and this is asked for every frame.
        if focus != .preview, !self[list: focus].selection.isEmpty { return true }
        return AppReducer.images(self).contains { !pictures.gone.contains($0.url) }
    }

    /// The selected tile of the gallery, or what the preview shows, if it is finished.
    fileprivate var shownImage: (url: String, name: String)? {
        if pictures.gallery != nil {
            guard case .image(let entry)? = galleryItem(at: galleryIndex) else { return nil }
            return (entry.url, entry.name)
        }
        guard let subject = pictures.subject, subject.live == nil, subject.hasPicture else { return nil }
        return (subject.url, subject.name)
    }

    /// Why the key finds none.
    fileprivate var whyNothingToDrop: String {
        var isLoading = false
        if focus == .preview {
            if pictures.gallery == nil {
                isLoading = pictures.subject?.live != nil
            } else if case .row? = galleryItem(at: galleryIndex) {
                isLoading = true
            }
        }
        return isLoading ? "this image is not in memory yet" : "no image is selected that memory could hold"
    }
}
