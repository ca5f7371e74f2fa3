import SluiceCore

@testable import SluiceUI

/// Plays events to a dashboard and names what it asks for.
struct Driver {
    var dashboard: Dashboard
    private(set) var now = Scene.now
    private let width: Int
    private let height: Int

    init(_ scene: Scene, _ width: Int, _ height: Int, prompt: Bool = false) {
        dashboard = scene.dashboard(width, height, prompt: prompt)
        (self.width, self.height) = (width, height)
    }

    /// The screen as it would be drawn now.
    var text: String {
        mutating get {
            let frame = dashboard.frame(width: width, height: height, now: now)
            return (0..<height).map(frame.canvas.row).joined(separator: "\n")
        }
    }

    mutating func send(_ event: AppEvent) -> [String] { dashboard.handle(event, now: now).map(Self.name) }

    mutating func press(keys: [Key]) -> [String] { keys.flatMap { send(.key($0)) } }

    mutating func press(_ text: String) -> [String] { press(keys: text.map { .character($0) }) }

    mutating func pass(_ time: Duration) {
        now = now + time
        _ = send(.wake)
    }

    static func name(_ effect: AppEffect) -> String {
        switch effect {
        case .pipeline(let command): name(command)
        case .readList(let path): "readList \(path)"
        case .repaint: "repaint"
        case .stop: "stop"
        case .saveHistory(let lines): "saveHistory \(lines.count)"
        case .quit: "quit"
        }
    }

    private static func name(_ command: PipelineCommand) -> String {
        switch command {
        case .submit(let requests): "submit \(requests.count) \(requests.first.map { source($0.source) } ?? "")"
        case .cancel(let receipt): "cancel \(receipt.rawValue)"
        case .cancelAll: "cancelAll"
        case .abort(let task): "abort \(task.rawValue)"
        case .pause(let task): "pause \(task.rawValue)"
        case .resume(let task): "resume \(task.rawValue)"
        case .pauseAll: "pauseAll"
        case .resumeAll: "resumeAll"
        case .promote(let task): "promote \(task.rawValue)"
        case .move(let task, let by): "move \(task.rawValue) by \(by)"
        case .retry(let task): "retry \(task.rawValue)"
        case .set(let change): "set \(change.name) \(EventSentence.text(change.value))"
        case .clearCache: "clearCache"
        case .pressure: "pressure"
        case .watch(let window): "watch \(window.from)+\(window.count)"
        default: "another command"
        }
    }

    private static func source(_ source: DownloadRequest.Source) -> String {
        switch source {
        case .prompt: "prompt"
        case .paste: "paste"
        case .list(let name, let line): "list \(name):\(line)"
        default: "elsewhere"
        }
    }
}
