internal import SluiceCore

/// What the screen knows of pictures: which are finished, what stands in each place, and what moves.
struct PictureState: Sendable {
    /// An image whose task succeeded.
    struct Entry: Equatable, Sendable {
        let url: String
        /// The file's name, else the last part of the URL; not sanitised.
        let name: String
        let task: TaskID
        let info: ImageInfo
        /// Of the body, in bytes.
        let bytes: Int
        let isSaved: Bool
    }

    /// What the preview is about.
    struct Subject: Equatable, Sendable {
        let url: String
        let name: String
        /// Set while the task lives: then there is no picture to ask for, only what arrives of it.
        let live: TaskID?
        /// Whether there may be one; else none is asked for.
        var hasPicture = true
    }

    /// The grid of all images.
    struct Gallery: Equatable, Sendable {
        /// The URL of the selected tile; `nil` for the first.
        var selected: String?
        /// The first row of tiles that is seen.
        var top = 0
    }

    /// Where somebody is in the pictures, to come back to it.
    struct Place: Equatable, Sendable {
        let gallery: Gallery?
        let galleryBelow: Gallery?
        let chosen: String?
        let origin: Panel
        let isMaximised: Bool
    }

    static let entryLimit = 1_000
    static let tileLimit = 256
    /// More receipts of pictures than live at once, even with those that are being cancelled.
    private static let receiptLimit = 2_000
    /// Previews are kept so large at most, in pixels: enough to fill a large screen, and to zoom in.
    static let proof = (width: 512, height: 384)
    /// As ``proof``, for tiles.
    static let tileProof = (width: 64, height: 48)

    /// Oldest first, each URL once.
    private(set) var entries: [Entry] = []
    /// URLs of those entries whose image has left the memory cache, as far as events tell.
    private(set) var gone: Set<String> = []
    var preview = ImageSlot<Picture>()
    /// Whether its URL was fetched again since it asked.
    var isPreviewOutdated = false
    /// Tiles of the gallery that were seen, by URL.
    var tiles: [String: ImageSlot<Picture>] = [:]
    /// Oldest first, for tiles that have to go.
    var tileOrder: [String] = []
    var gallery: Gallery?
    /// The gallery that the picture was opened from, which comes back when it is left.
    var galleryBelow: Gallery?
    /// What `[`, `]` or Enter chose while the preview has the focus.
    var chosen: String?
    var subject: Subject?
    /// The name of the picture that stands in the preview, until the answer for the subject has come.
    var shownName = ""
    /// Until when a subject that nobody chose stays, and when to look again.
    var heldUntil: Timestamp?
    var holdDue: Timestamp?
    var sketch: PictureSketch?
    /// A newer sketch, which waits until ``sketchDue``.
    var pendingSketch: PictureSketch?
    var sketchDue: Timestamp?
    /// Grows with each sketch.
    var sketchSerial = 0
    /// The same for the gallery.
    var tileSketches = TileSketches()
    /// The tasks whose sketches were asked for.
    var observed: [TaskID] = []
    var zoom = CellImage.Zoom.fit
    var player = Player()
    /// Where the focus goes when the preview is left.
    var origin = Panel.active
    /// Receipts of pictures, which are no downloads of the user's.
    var receipts = RecentSet<ReceiptID>(limit: Self.receiptLimit)
    /// Tasks that nobody but pictures asked for: their ends are no news for the lists.
    var tasks = RecentSet<TaskID>(limit: Self.receiptLimit)
    /// What is drawn, cut to its place; filled before a frame.
    var cut = CutPictures()
    /// Set where the terminal draws pictures by itself.
    var cellSize: PixelPicture.CellSize?
    /// The preview, where the terminal draws it.
    var pixels: PixelPicture?
    var pixelKey: CutPictures.Key?
    var pixelSerial = 0
    private(set) var lastAsk = 0

    /// When something has to change by itself, or `nil`.
    var nextTimer: Timestamp? {
        [player.due, holdDue, pendingSketch == nil ? nil : sketchDue, tileSketches.nextTimer].compactMap { $0 }.min()
    }

    mutating func nextAsk() -> Int {
        lastAsk += 1
        return lastAsk
    }

    mutating func add(_ entry: Entry) {
        entries.removeAll { $0.url == entry.url }
        entries.append(entry)
        if entries.count > Self.entryLimit { gone.remove(entries.removeFirst().url) }
        // What was shown may be another body now.
        tiles[entry.url] = nil
        if preview.url == entry.url { isPreviewOutdated = true }
    }

    /// Takes over which images are finished.
    mutating func takeEntries(of other: PictureState) {
        (entries, gone) = (other.entries, other.gone)
        (receipts, tasks) = (other.receipts, other.tasks)
    }

    /// - Returns: Whether that changes what is told of an entry.
    mutating func take(_ change: CacheChange) -> Bool {
        // A thumbnail is another entry: the image itself may be there all the same.
        guard change.key.id.isEmpty else { return false }
        let url = change.key.url
        switch change.verb {
        case .added, .replaced: return gone.remove(url) != nil
        case .removed: return entry(of: url) != nil && gone.insert(url).inserted
        case .refused: return false
        }
    }

    mutating func take(_ purge: CachePurge) {
        let known = Set(entries.map(\.url))
        gone.formUnion(purge.victims.lazy.filter { $0.key.id.isEmpty }.map(\.key.url).filter(known.contains))
    }

    /// Events were lost: what left may be back.
    mutating func forgetGone() { gone = [] }

    func entry(of url: String) -> Entry? { entries.last { $0.url == url } }
}
