/// All that is needed to continue a part: which file it is, of which version of what.
public struct PartRecord: Hashable, Sendable {
    /// The merge key as text.
    public var key: String
    /// Which file it is.
    public var location: PartLocation
    /// `nil` where the bytes can't be continued.
    public var validator: EntityValidator?
    /// Bytes of the whole, if known.
    public var total: Int?
    /// Where the bytes came from, after redirects; without credentials.
    public var finalURL: String
    /// What the request wanted the file to be called.
    public var destination: String?
    /// Bytes that were there when it was left; `nil` while it is written, and where its process died.
    ///
    /// What lies behind them, somebody else wrote.
    public var length: Int?
    /// Every byte is there: it only lacks its name.
    public var isWhole = false

    /// Bytes at its end that are asked for again and compared: where only a date says that the version is the same, or
    /// only an inode that the file is, which another file may have had since.
    public var overlap: Int {
        if case .entityTag? = validator, location.born != 0 { 0 } else { 16_384 }
    }

    /// A part that lacks bytes; where it is whole, that is set.
    ///
    /// - Parameters:
    ///   - key: The merge key as text.
    ///   - location: Which file it is.
    ///   - validator: Of the version that the bytes are of; `nil` where they can't be continued.
    ///   - total: Bytes of the whole, if known.
    ///   - finalURL: Where the bytes came from, without credentials.
    public init(key: String, location: PartLocation, validator: EntityValidator?, total: Int?, finalURL: String) {
        (self.key, self.location, self.validator) = (key, location, validator)
        (self.total, self.finalURL) = (total, finalURL)
    }
}
