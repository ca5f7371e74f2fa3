internal import SluiceCore

/// One place for a picture: an image view, in AFNetworking's sense.
///
/// It has a URL or none, and asks for its picture through a submit only; what no cache
/// holds it asks of the file that was saved. A new URL cancels what the old one asked for,
/// the same URL is asked for once, and only the answer to the latest question may fill
/// it. What stands in it stays until the pipeline has answered, which takes no network:
/// so a picture in memory is shown without a placeholder before it.
///
/// Pure: it never asks by itself, and gets every answer with the number of its question,
/// so that answers to questions that nobody asks any more are known as such.
///
/// - SeeAlso: AFNetworking, `UIImageView+AFNetworking.m`, `-setImageWithURLRequest:`.
struct ImageSlot<Picture: Sendable>: Sendable {
    /// The number of a question; never used twice in a session.
    typealias Ask = Int

    /// What is seen.
    enum Content: Sendable {
        case placeholder
        case picture(Picture)
        /// The placeholder with a sign that there will be no picture, and why.
        case failed(String)
    }

    /// What was asked for and is not answered.
    enum Stage: Equatable, Sendable {
        case idle
        /// Submitted; the pipeline has not said what becomes of it.
        case asking(Ask)
        /// A receipt will get its outcome.
        case waiting(Ask, ReceiptID)
        /// No cache has it; the saved file is being read.
        case reading(Ask)
    }

    enum Action: Equatable, Sendable {
        /// Submit the URL, never to the network.
        case submit(String, Ask)
        /// Decode the file that was saved for the URL.
        case readFile(String, Ask)
        /// The answer is no longer wanted, should it still come.
        case drop(Ask)
        case cancel(ReceiptID)
    }

    private(set) var url: String?
    private(set) var content = Content.placeholder
    private(set) var stage = Stage.idle

    /// The question whose answer is awaited.
    var pending: Ask? {
        switch stage {
        case .idle: nil
        case .asking(let ask), .waiting(let ask, _), .reading(let ask): ask
        }
    }

    /// Wants the picture of a URL, or none.
    ///
    /// - Parameters:
    ///   - url: The same as before changes nothing, whether the picture has come, failed or is on its way.
    ///   - ask: The number of the question, if one has to be asked.
    /// - Returns: What to do, in order.
    mutating func show(_ url: String?, as ask: Ask) -> [Action] {
        guard url != self.url else { return [] }
        var actions = abandon()
        self.url = url
        guard let url else {
            content = .placeholder
            return actions
        }
        stage = .asking(ask)
        actions.append(.submit(url, ask))
        return actions
    }

    /// Asks once more for the same URL, since there may be another picture by now; what is shown stays until the answer.
    mutating func renew(as ask: Ask) -> [Action] {
        guard let url else { return [] }
        let actions = abandon()
        stage = .asking(ask)
        return actions + [.submit(url, ask)]
    }

    /// The submit became a receipt of a task, which may take its time.
    mutating func accepted(_ ask: Ask, _ receipt: ReceiptID) -> [Action] {
        guard stage == .asking(ask) else { return [.cancel(receipt)] }
        stage = .waiting(ask, receipt)
        content = .placeholder
        return []
    }

    /// A picture came: from memory, a task or the file.
    ///
    /// - Returns: Whether it fills the slot.
    mutating func arrived(_ picture: Picture, for ask: Ask) -> Bool {
        guard pending == ask else { return false }
        (stage, content) = (.idle, .picture(picture))
        return true
    }

    /// No picture came.
    mutating func failed(_ why: String, for ask: Ask) -> [Action] {
        guard pending == ask, let url else { return [] }
        if case .reading = stage {
            (stage, content) = (.idle, .failed(why))
            return []
        }
        stage = .reading(ask)
        content = .placeholder
        return [.readFile(url, ask)]
    }

    private mutating func abandon() -> [Action] {
        defer { stage = .idle }
        switch stage {
        case .idle: return []
        case .asking(let ask), .reading(let ask): return [.drop(ask)]
        case .waiting(let ask, let receipt): return [.drop(ask), .cancel(receipt)]
        }
    }
}
