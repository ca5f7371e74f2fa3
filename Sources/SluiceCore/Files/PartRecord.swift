/// All that is needed to continue a part: which file it is, of which version of what.
public struct PartRecord: Hashable, Sendable {
    /// The merge key as text.
    public var key: String
    public var location: PartLocation
    /// `nil` where the bytes can't be continued.
    public var validator: EntityValidator?
    /// Bytes of the whole, if known.
    public var total: Int?
    /// Where the bytes came from, after redirects; without credentials.
    public var finalURL: String
    /// What the request wanted the file to be called.
    public var destination: String?
    /// Every byte is there: it only lacks its name.
    public var isWhole = false

    public init(key: String, location: PartLocation, validator: EntityValidator?, total: Int?, finalURL: String) {
        (self.key, self.location, self.validator) = (key, location, validator)
        (self.total, self.finalURL) = (total, finalURL)
    }
}
