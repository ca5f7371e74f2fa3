public import SluiceCore

/// The dashboard over a recording: events come from a log, and keys move through it.
///
/// Pure, as ``Dashboard`` is, which draws it. It has no pipeline: nothing can be downloaded
/// or changed, and nothing is asked of the network or of files.
public struct ReplayDashboard: TerminalApplication {
    /// Places to start from when the user goes back, at most.
    private static let keyframeLimit = 12
    /// Events between two of them, at least.
    private static let shortestKeyframe = 4_096

    private let recording: Recording
    private let name: String
    private let interval: Int
    private var dashboard: Dashboard
    private var player: ReplayPlayer
    private var fold: ReplayFold
    /// After ``interval`` events, twice as many, and so on; the first is the start.
    private var keyframes: [ReplayFold]
    private var window = QueueWindow(from: 1, count: 100)
    private var inspection = Inspection()
    private var found: QueueSearch.Answer?
    private var hasShown = false

    /// - Parameters:
    ///   - recording: What is shown.
    ///   - name: What the file is called.
    ///   - player: Where it begins.
    ///   - configuration: Of the screen; its clock is set to the recording's.
    public init(
        _ recording: Recording,
        name: String,
        player: ReplayPlayer,
        _ configuration: DashboardConfiguration
    ) {
        var configuration = configuration
        configuration.start = recording.start
        (configuration.startsInPrompt, configuration.history, configuration.keptIn) = (false, [], nil)
        (self.recording, self.name, self.player) = (recording, name, player)
        interval = max(Self.shortestKeyframe, recording.count / Self.keyframeLimit + 1)
        fold = ReplayFold(configuration)
        keyframes = [fold]
        dashboard = Dashboard(configuration)
        dashboard.update { [facts] in $0.replay = facts }
    }

    /// Whether an effect ended the loop.
    public var hasQuit: Bool { dashboard.hasQuit }

    var state: AppState { dashboard.state }
    var position: ReplayPlayer { player }

    /// Plays up to now, does what keys ask of the player, and shows where it stands.
    public mutating func handle(_ event: AppEvent, now: Timestamp) -> [AppEffect] {
        if case .link = event { return dashboard.handle(event, now: now) }
        let before = (player.index, player.position, player.isPaused, player.isSkipping)
        player.advance(to: now)
        var effects = pass(event, now)
        let commands = dashboard.state.replay?.commands ?? []
        for command in commands { player.perform(command, at: now) }
        let after = (player.index, player.position, player.isPaused, player.isSkipping)
        if before != after || !commands.isEmpty || !hasShown { effects += show(now) }
        return effects
    }

    /// As the dashboard has it.
    public func frameDue(now: Timestamp) -> Timestamp? { dashboard.frameDue(now: now) }

    /// As the dashboard draws it; what is played is in its state already.
    public mutating func frame(width: Int, height: Int, now: Timestamp) -> Frame {
        dashboard.frame(width: width, height: height, now: now)
    }

    /// When the next recorded event is due, or something on screen changes with time.
    public func nextWake(after now: Timestamp) -> Timestamp? {
        if hasQuit { return nil }
        return [dashboard.nextWake(after: now), player.nextWake(after: now)].compactMap(\.self).min()
    }

    /// Goes to a place.
    mutating func seek(to place: ReplayPlayer.Place, now: Timestamp) -> [AppEffect] {
        player.seek(to: place)
        return show(now)
    }

    private var facts: ReplayFacts {
        ReplayFacts(
            name: name,
            position: player.position,
            length: player.length,
            speed: player.speed,
            isPaused: player.isPaused,
            isSkipping: player.isSkipping,
            index: player.index,
            count: recording.count,
            cutOffLine: recording.cutOffLine,
            isOver: player.isAtEnd
        )
    }

    /// Shows the place where the player stands.
    private mutating func show(_ now: Timestamp) -> [AppEffect] {
        hasShown = true
        refold()
        dashboard.update { [facts, news = fold.state] state in
            state.replay = facts
            state.takeNews(of: news)
        }
        return pass(.snapshot(snapshot), now)
    }

    private var snapshot: PipelineSnapshot {
        mutating get {
            var snapshot = fold.snapshot(at: Recording.startTime + player.position, window, inspection)
            snapshot.found = found
            return snapshot
        }
    }

    /// Hands an event to the dashboard, and answers what it asks for.
    private mutating func pass(_ event: AppEvent, _ now: Timestamp) -> [AppEffect] {
        var events = [event]
        var effects: [AppEffect] = []
        // An answer may lead to a question; none leads to more than a few.
        for _ in 0..<8 where !events.isEmpty {
            var answers: [AppEvent] = []
            var needsSnapshot = false
            for event in events {
                for effect in dashboard.handle(event, now: now) {
                    switch effect {
                    case .pipeline(let command): needsSnapshot = take(command) || needsSnapshot
                    case .submitPicture(let request), .readPicture(let request):
                        answers.append(.picture(ask: request.ask, .none("a recording holds no pictures")))
                    case .repaint, .stop, .mouse, .askForGround, .quit, .copy: effects.append(effect)
                    case .readList, .lookAtList, .readFolder, .open, .saveHistory, .dropPicture, .lookAtTrust,
                        .draftPin, .pin:
                        break
                    }
                }
            }
            if needsSnapshot { answers.append(.snapshot(snapshot)) }
            events = answers
        }
        return effects
    }

    /// - Returns: Whether a snapshot answers it.
    private mutating func take(_ command: PipelineCommand) -> Bool {
        switch command {
        case .watch(let window): self.window = window
        case .inspect(let inspection): self.inspection = inspection
        case .find(let search): found = fold.find(search, window.filter)
        default: return false
        }
        return true
    }

    /// Brings the fold to where the player stands, from the nearest place that is known.
    private mutating func refold() {
        let (index, place) = (player.index, player.position.nanoseconds)
        if index < fold.index || place < fold.place { fold = keyframes[0] }
        if let nearest = keyframes.last(where: { $0.index <= index }), nearest.index > fold.index { fold = nearest }
        while fold.index < index {
            let next = (fold.index / interval + 1) * interval
            fold.advance(recording, to: min(next, index))
            if fold.index == next, keyframes.count == next / interval { keyframes.append(fold) }
        }
        fold.settle(recording, at: place)
    }
}
