internal import SluiceCore

extension Settings {
    /// What of the settings the transport applies.
    var transportLimits: TransportLimits {
        var limits = TransportLimits()
        limits.rate = limitRate
        limits.timeout = timeout
        limits.connectTimeout = connectTimeout
        return limits
    }
}
