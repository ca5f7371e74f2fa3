/// Where a request came from, as the field `origin` of its event says it.
extension DownloadRequest.Source {
    /// `nil` for requests of programs, of which there is nothing to say.
    var recorded: String? {
        switch self {
        case .program: nil
        case .argument: "argument"
        case .prompt, .promptLine: "prompt"
        case .paste: "paste"
        case .standardInput(let line): "input:\(line)"
        case .list(let name, let line): "list:\(line):\(name)"
        case .prefetch(let batch): "prefetch:\(batch.rawValue)"
        case .feed: "feed"
        case .revalidation: "revalidation"
        case .view: "view"
        }
    }

    /// - Returns: `nil` for what is not known.
    init?(recorded: String) {
        let parts = recorded.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        switch parts.first {
        case "argument": self = .argument
        case "prompt": self = .prompt
        case "paste": self = .paste
        case "input": self = .standardInput(line: number)
        case "list" where parts.count == 3: self = .list(name: String(parts[2]), line: number)
        case "prefetch": self = .prefetch(BatchID(number))
        case "feed": self = .feed
        case "revalidation": self = .revalidation
        // The question has been answered long since.
        case "view": self = .view(0)
        default: return nil
        }
    }
}
