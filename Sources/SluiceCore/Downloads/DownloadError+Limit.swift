extension DownloadError {
    /// The setting that a body or an image was too large for.
    ///
    /// Who offers a larger value reads it here: messages are for people, and may be reworded.
    public struct Limit: Equatable, Sendable {
        /// The settings that refuse what is too large, under their own names.
        public enum Setting: String, CaseIterable, Sendable {
            /// Of bodies, in bytes.
            case maxFileSize
            /// Of images, in pixels.
            case maxPixels
        }

        /// What has to be raised.
        public let setting: Setting
        /// A value that is enough; `nil` where nobody knows one, or the setting can't have it.
        public let needed: Int?

        /// - Parameters:
        ///   - setting: What has to be raised.
        ///   - needed: A value that is enough, if one is known; left out where the setting can't have it.
        public init(_ setting: Setting, needed: Int? = nil) {
            self.setting = setting
            self.needed = needed.flatMap { Settings.allows($0, as: setting.rawValue) ? $0 : nil }
        }

        /// - Parameters:
        ///   - setting: What has to be raised.
        ///   - needed: The least value that is enough; `nil` where it is larger than any number.
        /// - Returns: `nil` where the setting can't have that value, so that no one is told to raise it.
        package static func raising(_ setting: Setting, to needed: Int?) -> Self? {
            let limit = Self(setting, needed: needed)
            return limit.needed == nil ? nil : limit
        }
    }
}
