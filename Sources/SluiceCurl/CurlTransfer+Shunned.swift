import SluiceCore

/// Connections that are believed to be dead, as after a change of the network.
///
/// One of HTTP/2 outlives a transfer that waited in vain, and curl would send each request that follows into it for as long
/// as the system believes in it, which may be a quarter of an hour. One of HTTP/1 is closed with its transfer.
extension CurlTransfer {
    /// Keeps requests off its connection, if that brought nothing for so long.
    func shunConnection(silentFor silence: Duration) {
        findSocket()
        sockets.shun(run.exchange.socket, silentFor: silence)
    }

    /// Takes its connection for a live one again, since something came over it.
    func unshunConnection() {
        if !sockets.hasShunned { return }
        findSocket()
        sockets.unshun(run.exchange.socket)
    }

    /// Whether its request goes over a connection.
    func uses(_ socket: Int32) -> Bool {
        findSocket()
        return run.exchange.socket == socket
    }
}
