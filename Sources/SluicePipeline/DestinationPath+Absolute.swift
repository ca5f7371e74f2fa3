internal import SluiceCore

extension DestinationPath {
    /// Says which file a destination stands for.
    ///
    /// - Parameters:
    ///   - destination: Relative to `directory`, or absolute.
    ///   - directory: Where files go whose request names no place; `nil` without one.
    /// - Returns: An absolute path, or one relative to the working directory without a `directory`.
    static func absolute(_ destination: String, in directory: String?) -> String {
        let (own, folder, name) = split(destination)
        if let own { return own == "/" ? "/\(name)" : "\(own)/\(name)" }
        return [directory, folder, name].compactMap(\.self).joined(separator: "/")
    }
}
