import SluiceCore

/// Where requests came from, as a text that is kept.
enum SourceText {
    static func text(_ source: DownloadRequest.Source) -> String {
        switch source {
        case .argument: "argument"
        case .prompt: "prompt"
        case .promptLine: "promptLine"
        case .paste: "paste"
        case .standardInput(let line): "standardInput \(line)"
        case .list(let name, let line): "list \(line) \(OptionsText.encoded(name))"
        case .prefetch, .feed, .program, .revalidation, .view: "program"
        }
    }

    static func source(_ text: String) -> DownloadRequest.Source {
        let words = OptionsText.words(text[...])
        let line = words.count > 1 ? Int(words[1]) ?? 1 : 1
        switch words.first {
        case "argument": return .argument
        case "prompt": return .prompt
        case "promptLine": return .promptLine
        case "paste": return .paste
        case "standardInput": return .standardInput(line: line)
        case "list": return .list(name: words.count > 2 ? OptionsText.decoded(words[2]) : "", line: line)
        default: return .program
        }
    }
}
