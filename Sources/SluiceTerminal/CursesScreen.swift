internal import CLinux
internal import CNcurses
internal import SluiceSystem
internal import SluiceUI
import Synchronization

/// The terminal in full-screen mode, and the only type that draws by ncurses; ``TrueColor`` and ``Capability`` ask its
/// terminal description.
///
/// Not copyable and not sendable: ncurses keeps one global screen and is not
/// thread-safe, so exactly one owner on one thread may hold it. The terminal is
/// restored when the owner lets go of it, and also if the process crashes, exits or
/// is killed by a signal that can be caught.
///
/// ncurses draws; it does not read. Keys are decoded by ``InputDecoder``, which knows
/// when a sequence is none, and never waits for the rest of one.
@safe
public struct CursesScreen: ~Copyable {
    /// Why there is no full screen; people get a sentence about it from the program.
    public enum OpenError: Error, Equatable {
        /// The process has no terminal.
        case noTerminal
        /// `TERM` is unset, names a terminal without a movable cursor, or one that nobody knows.
        case unknownTerminal(String)
    }

    /// What the terminal can show; chosen once, when it is opened.
    public struct Capabilities: Equatable, Sendable {
        /// Colours of the palette: 256, 16, 8, or 0 for none.
        public let colors: Int
        /// Whether colours of 24 bits can be used beside the palette.
        public let hasTrueColor: Bool
        /// Whether the locale is UTF-8.
        public let isUnicode: Bool
        /// The value of `TERM`.
        public let terminal: String
    }

    private static let isOpen = Atomic<Bool>(false)

    /// Found when it was opened; it holds until it is closed.
    public let capabilities: Capabilities
    /// In cells; at least 1 each.
    public var size: (width: Int, height: Int) { (max(1, Int(sluice_columns())), max(1, Int(sluice_rows()))) }

    /// Readable while there are keys; for `poll(2)`.
    var inputDescriptor: Int32 { device.input }
    /// Sequences that this terminal's description has for keys.
    let keys: [[UInt8]: Key]

    let device: TerminalDevice
    let modes: TerminalModes
    var pairs: ColorPairs
    var shown: Frame?
    var mustClear = false
    /// Whether a cursor that a frame has none of can be hidden; known with the first such frame.
    var hidesCursor = true
    /// The picture that the terminal has.
    var sentPicture: PixelPicture?
    private var usesPictures = false
    private var reportsMouse = false
    /// Whether the terminal is another job's, which is neither written to nor read from.
    private(set) var isAway = false
    private let signals: SignalWatch
    private let opened: sluice_screen

    /// Takes the terminal over.
    ///
    /// - Parameters:
    ///   - signals: Rings for the signals of a terminal too, as long as the screen is open.
    ///   - usesColor: Whether colours may be used where the terminal has them.
    /// - Throws: ``OpenError`` if there is no terminal, or none that can be drawn on; then nothing was changed.
    /// - Precondition: No other screen is open.
    public init(signals: SignalWatch, usesColor: Bool = true) throws(OpenError) {
        guard let device = TerminalDevice() else { throw .noTerminal }
        precondition(!Self.isOpen.exchange(true, ordering: .acquiringAndReleasing), "a screen is open already")
        let terminal = Environment.variable("TERM") ?? ""
        let isUnicode = sluice_use_locale()
        // Before newterm, which changes the modes and takes the signals that nobody has taken.
        guard sluice_terminal_guard(device.output) else {
            Self.isOpen.store(false, ordering: .releasing)
            throw .noTerminal
        }
        guard let opened = unsafe Self.open(terminal, on: device) else {
            sluice_terminal_release()
            Self.isOpen.store(false, ordering: .releasing)
            throw .unknownTerminal(terminal)
        }
        unsafe self.opened = opened
        self.signals = signals
        self.device = device
        modes = TerminalModes(features: TerminalFeatures(terminal: terminal, variable: Environment.variable))
        let colors = usesColor ? Self.startColors() : 0
        pairs = ColorPairs(colors: colors, limit: colors == 0 ? 1 : sluice_color_pairs())
        let hasTrueColor = colors == TerminalDescription.colors
        capabilities = Capabilities(
            colors: hasTrueColor ? 256 : Int(colors),
            hasTrueColor: hasTrueColor,
            isUnicode: isUnicode,
            terminal: terminal
        )
        keys = Capability.keys()
        prepareInput()
        prepareRestore()
        enter()
    }

    /// What is written when the process dies.
    private func prepareRestore() {
        let pictures = usesPictures ? PixelGraphics.removeAll : []
        let restore =
            pictures + modes.restore(capabilities: ["sgr0", "cnorm", "rmkx", "rmcup"].map(Capability.bytes))
            + (hasMainScreen ? [] : Array("\r\n".utf8) + TerminalModes.withoutPadding(Capability.bytes("ed")))
        let isKept = unsafe restore.withUnsafeBytes {
            unsafe sluice_terminal_set_restore($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
        precondition(isKept, "a terminal's strings fill 512 bytes")
    }

    /// The terminal draws pictures from now on, which have to go when the screen does.
    mutating func usePictures() {
        usesPictures = true
        prepareRestore()
    }

    /// Whether the terminal shows what was there before, once the screen is left; else what follows goes below it.
    private var hasMainScreen: Bool { !Capability.bytes("rmcup").isEmpty }

    deinit {
        if !isAway {
            leave()
            if !hasMainScreen { device.write(Array("\r\n".utf8)) }
        }
        unsafe sluice_screen_free(opened)
        sluice_terminal_release()
        Self.isOpen.store(false, ordering: .releasing)
    }

    // MARK: Staying in step with the terminal

    /// Takes over the terminal's size.
    ///
    /// - Returns: Whether it changed; then the next frame paints everything.
    mutating func resize() -> Bool {
        guard let size = device.size, size != self.size else { return false }
        resize_term(Int32(size.height), Int32(size.width))
        repaint()
        return true
    }

    /// Makes the next frame paint everything, whatever the terminal shows.
    mutating func repaint() {
        shown = nil
        mustClear = true
    }

    /// Gives a text to the terminal's clipboard.
    func copy(_ text: String) { device.write(modes.clipboard(text)) }

    /// Gives the terminal back and stops the process; returns when it was continued, with nothing painted.
    mutating func stop() {
        leave()
        sluice_terminal_lend()
        _ = sluice_terminal_stop()
        enterInForeground()
    }

    /// Takes the terminal back after a stop that came without notice.
    mutating func takeBack() {
        if sluice_terminal_is_lost() { return enterInForeground() }
        leave()
        enter()
    }

    /// Enters where the terminal is this job's; what was continued in the background stops again, unless it is to end.
    private mutating func enterInForeground() {
        while sluice_terminal_is_lost(), sluice_signals_ending() == 0, sluice_terminal_stop() {}
        isAway = sluice_terminal_is_lost()
        if !isAway { enter() }
    }

    /// Switches reports of the mouse on or off; they come back after a stop.
    mutating func reportMouse(_ isOn: Bool) {
        reportsMouse = isOn
        device.write(modes.mouse(isOn))
    }

    /// Asks what the ground is; never waits for the answer.
    func askForGround() { device.write(modes.groundQuestion) }

    private mutating func enter() {
        device.write(modes.on + (reportsMouse ? modes.mouse(true) : []))
        // Not left to the next frame: keys come now.
        reset_prog_mode()
        sentPicture = nil
        _ = resize()
        repaint()
    }

    /// Also the order on exit: what ncurses does not know of goes first, and it then shows the main screen.
    private func leave() {
        if usesPictures { device.write(PixelGraphics.removeAll) }
        device.write(modes.off)
        // Before the first frame after a stop there is nothing to leave: a second time would pop another title.
        if !isendwin() { endwin() }
    }

    // MARK: Opening

    /// Tries the terminal's own entry, then ones that most terminals understand.
    private static func open(_ terminal: String, on device: borrowing TerminalDevice) -> sluice_screen? {
        guard !terminal.isEmpty, terminal != "dumb", terminal != "unknown" else { return nil }
        let prepared = TrueColor.isPrepared ? [TerminalDescription.name] : []
        for name in prepared + TerminalName.descriptions(of: terminal) {
            let opened = unsafe sluice_screen_open(name, device.output, device.input)
            guard unsafe opened.screen != nil else { continue }
            if unsafe sluice_capability("cup") != nil { return unsafe opened }
            endwin()
            unsafe sluice_screen_free(opened)
            return nil
        }
        return nil
    }

    private static func startColors() -> Int32 {
        guard has_colors(), start_color() == OK, use_default_colors() == OK, sluice_colors() >= 8 else { return 0 }
        return sluice_colors()
    }

    /// Every key is a byte, except `^\`, which ends a program that hangs.
    private func prepareInput() {
        raw()
        noecho()
        nonl()
        unsafe keypad(sluice_window(), true)
        // ncurses must not look for keys in the middle of a frame: it would take them.
        typeahead(-1)
        var own = termios()
        guard unsafe tcgetattr(device.input, &own) == 0 else { return }
        own.c_lflag |= tcflag_t(ISIG)
        unsafe withUnsafeMutableBytes(of: &own.c_cc) { characters in
            for index in [VINTR, VSUSP] { unsafe characters[Int(index)] = 0 }
        }
        unsafe tcsetattr(device.input, TCSANOW, &own)
        def_prog_mode()
    }
}
