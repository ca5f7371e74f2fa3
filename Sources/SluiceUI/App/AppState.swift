internal import SluiceCore

/// Everything that the screen shows or remembers, and what follows from that alone.
///
/// Changed by ``AppReducer`` only, read by the views only.
struct AppState: Sendable {
    let configuration: DashboardConfiguration
    let clock: WallClock

    // What the pipeline says.
    var snapshot: PipelineSnapshot
    var hasSnapshot = false
    var news = News()
    var refused = RefusedRequests()
    /// Tasks that were aborted, and then tried again; more than can be while the row of one of them is there.
    var takenBack = RecentSet<TaskID>(limit: EndedTasks.capacity * 2)
    /// What was added together and is not answered yet, oldest first.
    var tallies: [SubmissionTally] = []
    /// Lists that are being read; each has its answer, also if it can't be.
    var awaitedLists = 0
    /// Whether URLs were sent to be prefetched, and nothing is heard of any yet.
    var awaitsPrefetch = false
    var spinnerStep = 0
    var spinnerBytes = 0

    // What the user looks at.
    var terminal: TerminalFacts
    var focus = Panel.active
    var isMaximised = false
    /// Which of queue, finished and failed list has their place.
    var listPanel = Panel.queued
    var preset = Layout.Preset.all
    var detail = DetailState()
    var finishedCursor = ListCursor<Int>()
    var failedCursor = FailedCursor()
    var activeCursor = ListCursor<TaskID>()
    /// The task that was told to go on last.
    var resumed: Resumed?
    /// Whether the queue is suspended because all was paused, and not for itself.
    var hasPausedAll = false
    var queueCursor = QueueCursor()
    var held = HeldInput()
    var eventCursor = ListCursor<Int>()
    var purgeCursor = ListCursor<Int>()
    var lists: [Panel: ListState] = [:]
    var endedIndex = RowIndex()
    var eventIndex = RowIndex()
    var filterEditor = LineEditor()
    /// Files that were deleted since deleting was last agreed to.
    var deletedFiles = 0
    var find = FindState()
    /// What was asked to leave the memory cache last, until it is answered.
    var removal: PendingRemoval?
    var lastRemoval = 0
    var prompt: PromptState
    var mode: Mode
    /// `g` was pressed, and may become `gg`.
    var awaitsSecondG = false
    var help = HelpState()
    var message: Message?
    /// Sentences since they were last taken, where lines are typed: there none takes the place of the one before.
    var said: [String] = []
    var quitArmedUntil: Timestamp?
    /// When a countdown on the screen changes next.
    var countdownDue: Timestamp?
    var pictures = PictureState()
    /// Whether the user went through rows or panels: before that, the preview shows what was finished last.
    var looksAtRows = false
    /// The certificates that are looked at, in place of the panels.
    var trust: TrustState?
    /// Number of the last look at certificates.
    var lastLook = 0
    var hasQuit = false
    /// Whether single keys do something; else lines are typed.
    var hasKeys = true
    /// Whether somebody can type commands.
    var hasPrompt = true
    /// Set where a recording is shown, and no pipeline.
    var replay: ReplayFacts?

    init(_ configuration: DashboardConfiguration) {
        self.configuration = configuration
        terminal = TerminalFacts(theme: configuration.theme)
        clock = WallClock(start: configuration.start, utcOffsetSeconds: configuration.utcOffset)
        snapshot = PipelineSnapshot(time: configuration.start.time)
        prompt = PromptState(history: PromptHistory(configuration.history))
        mode = configuration.startsInPrompt ? .prompt : .lists
        message = Message.ofStart(configuration)
    }

    var layout: Layout { Layout(width: terminal.width, height: terminal.height, wish) }

    /// Whether the queue stands still for want of room on a disk.
    ///
    /// A recording has no snapshots, and only the warnings.
    var lacksRoom: Bool { replay == nil ? snapshot.neededSpace != nil : news.isDiskFull }

    /// What the layout should show.
    var wish: Layout.Wish {
        var wish = Layout.Wish()
        (wish.slots, wish.focus, wish.isMaximised) = (snapshot.settings.maxActive, focus, isMaximised)
        (wish.isEmpty, wish.list, wish.preset) = (EmptyView.isShown(self), listPanel, preset)
        (wish.hasPreview, wish.hasBanner) = (hasPreview, BannerView.isShown(self))
        wish.hasPurges = !news.ledger.entries.isEmpty
        wish.needsRowUnder = PromptView.needsRowUnder(self)
        return wish
    }

    /// Whether the preview has a place of its own.
    var hasPreview: Bool { snapshot.settings.decode != .never }

    /// The panel that keys go to, or `nil` while they go elsewhere.
    var keyPanel: Panel? { mode == .prompt ? nil : focus }

    /// Whether quitting would leave something.
    var isBusy: Bool {
        replay == nil && (liveTasks > 0 || pendingRequests > 0 || awaitedLists > 0 || awaitsPrefetch)
    }

    /// Requests that were sent and are no tasks yet, whether or not the snapshot has seen them.
    ///
    /// Of those that were added here, what has no answer is in the snapshot's backlog too, or in none.
    var pendingRequests: Int {
        let ofCommandLine = max(0, configuration.requestCount - snapshot.counts.requests)
        return max(snapshot.backlog, ofCommandLine + tallies.reduce(0) { $0 + $1.unanswered })
    }

    /// Tasks that are neither ended nor only submitted.
    var liveTasks: Int {
        snapshot.active.count + snapshot.queuedCount + snapshot.waitingCount + snapshot.pausedCount
    }
}

extension AppState {
    /// What keys mean.
    enum Mode: Equatable, Sendable {
        case lists
        case prompt
        /// The text that narrows the focused list is typed.
        case filter
        /// A letter says what the focused list is sorted by.
        case sortMenu
        /// The certificates of a host have the place of the panels.
        case trust
        /// All that an event says lies over the lists.
        case event(EventText)
        /// The help covers the screen; the mode below comes back.
        indirect case help(over: Mode)
        /// A question that `y` and `n` answer.
        case question(Question)
        /// More pasted URLs than are taken without asking.
        indirect case paste(PastedURLs, over: Mode)
    }

    enum Question: Equatable, Sendable {
        case cancelAll(Int)
        /// How many of the focused list.
        case abortSelected(Int)
        /// Paths that would be deleted.
        case deleteFiles([String])
        /// What would be added to the configuration.
        case pin(PinDraft)
    }

    /// One sentence that goes away by itself.
    struct Message: Equatable, Sendable {
        var text: String
        var role: Role
        var until: Timestamp

        /// What the command line did not mean, else what was restored without its asking.
        ///
        /// Stays longer than other sentences, since the screen is new to the eye; names no key where lines are typed.
        static func ofStart(_ configuration: DashboardConfiguration, hasKeys: Bool = true) -> Message? {
            let requests = Format.plural(configuration.restoredCount, "request")
            if let note = configuration.startNote {
                let restored = configuration.restoredCount > 0 ? " · restored \(requests)" : ""
                let text = VisibleText.visible(note, limit: 300) + restored
                return Message(text: text, role: .wait, until: configuration.start.time + .seconds(10))
            }
            guard configuration.restoredCount > 0 else { return nil }
            // Who types a URL at once presses keys of the lists.
            let adds =
                hasKeys && !configuration.startsInPrompt
                ? configuration.keys.phrase(.typeURL, "adds URLs").map { " · \($0)" } : nil
            let text = "restored \(requests)\(adds ?? " of the last session") · --fresh starts empty"
            return Message(text: text, role: .bright, until: configuration.start.time + .seconds(10))
        }
    }

    /// A task that ended and stays on screen for some seconds.
    struct LingeringTask: Sendable {
        static let time: Duration = .seconds(4)
        static let limit = 16
        let end: TaskEnd
        let until: Timestamp
        var task: TaskID { end.task }
        var url: String { end.url }
        var outcome: Outcome { end.outcome }
        var receipts: Int { end.receipts }
        /// Made when it is drawn: of many that end at once few are.
        ///
        /// Names no key, since none is for its row.
        var sentence: EventSentence { EventSentence(end) }
    }
}
