internal import SluiceSystem

extension Doorbell {
    /// Makes a bell for a connection, of which there may be more than the process has descriptors.
    static func make() throws(OriginError) -> Doorbell {
        guard let bell = ifPossible() else { throw OriginError(doing: "make an event descriptor") }
        return bell
    }
}
