internal import SluiceCore

extension TransferBody {
    /// What the pipeline wants of this body.
    struct Wishes {
        /// The URL asked for, for the file's name.
        var url: String
        var saves: Bool
        var name: String?
        var onExists: OnExists
        var replaces: ReplaceableFiles
        /// Where others want it, who get it there if the name is taken and such requests are skipped; `nil` is the usual name.
        var otherNames: [String?]
        /// Whether an image that can be decoded will be.
        var decodes: Bool
        var acceptsOnlyImages: Bool
        /// The user's own validators or range make 304 and 206 answers of their own.
        var allowsPartial: Bool
        /// As sent.
        var method: String
        /// What the body must sum up to.
        var sha256: String?
        /// Whether the answer may serve other requests too: a later one, or the rest of this.
        var mayCache: Bool
        /// Whether asking twice does no harm.
        var mayRepeat: Bool
        /// In bytes; 0 means none.
        var maxFileSize: Int
        /// Width × height.
        var maxPixels: Int
        var memoryLimit: Int
        /// The request as the HTTP cache sees it; `nil` keeps the body out of it.
        var cacheRequest: CacheRequest?
        /// Whether the request asks only whether what is stored still holds.
        var isConditional = false
        /// Bytes of a body that is kept in memory only to be stored.
        var storeLimit = 0
        /// Whether a file that is known stays if it has the same bytes: what comes was stored before.
        var leavesEqual = false
        /// When it came from the origin then, in milliseconds since 1970; see ``FileRequest/arrived``.
        var arrived: Int64?
        /// See ``FileRequest/sameResource``.
        var sameResource: [SavedFile] = []
        /// Parts that can be continued, so that they are no leftovers; that of ``partKey`` is its own.
        var parts: PartRecords?
        var partKey = ""
        /// Whether all who ask for it want a file, and nobody the caches alone.
        var areAllSaved = true
        /// Why the HTTP cache may not keep the answer; `nil` if it may.
        var whyNotStored: HTTPCacheWhy?
        /// Whether what the file store takes can be read again.
        var keepsFiles = true

        /// The answer has no body.
        var isHead: Bool { method == "HEAD" }

        var place: Place {
            get { Place(name: name, onExists: onExists, replaces: replaces) }
            set { (name, onExists, replaces) = (newValue.name, newValue.onExists, newValue.replaces) }
        }
    }

    /// A part that is open and may be continued.
    struct Resumption {
        let plan: RangeResume
        let part: ReopenedPart
        /// What the head said with which the part began; `nil` where that is not known any more.
        let first: [HeaderField]?
        /// Where the body goes if the part is not continued.
        let own: Place
    }

    /// Where a body goes.
    struct Place {
        var name: String?
        var onExists: OnExists
        var replaces: ReplaceableFiles
    }
}
