extension Settings {
    /// Whether a body is decoded if it is an image.
    ///
    /// - Parameters:
    ///   - receipts: All that wait for it.
    ///   - savesFiles: Whether any file comes of it.
    ///   - isDashboard: Whether there is a screen that shows images.
    /// - Returns: `false` where only its header is looked at.
    public func decodes(_ receipts: [Receipt], savesFiles: Bool, isDashboard: Bool) -> Bool {
        if receipts.contains(where: { $0.options.thumbnail != nil }) { return true }
        return switch decode {
        case .always: true
        case .never: false
        // Who wants no file, as a prefetch, wants it in the caches.
        case .auto: isDashboard || acceptOnly == .image || !savesFiles || receipts.contains { !$0.options.saves }
        }
    }
}
