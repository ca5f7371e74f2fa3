public import SluiceCore

extension DownloadRequest.Source {
    /// Which line of a list a request is, to be written before it; empty for all others.
    public var linePlace: String {
        switch self {
        case .list(let name, let line): "\(name):\(line): "
        case .standardInput(let line): "line \(line): "
        default: ""
        }
    }
}
