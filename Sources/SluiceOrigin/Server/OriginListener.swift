internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// Accepts connections and gives each a thread; owns all threads of an origin.
final class OriginListener: Sendable {
    private static let longestCrowd = 256

    let port: UInt16
    private let descriptor: Int32
    private let state: OriginState
    /// Readable from the moment the origin closes; every wait of every thread includes it.
    private let stop: Doorbell
    /// Rung when a connection ended, so that its thread is joined.
    private let departures: Doorbell
    private let departed = Locked<[Int]>([])
    /// The accepting thread, which joins the others before it ends.
    private let thread = Locked<WorkerThread?>(nil)

    init(port: UInt16, state: OriginState) throws(OriginError) {
        self.state = state
        stop = try Doorbell.make()
        departures = try Doorbell.make()
        (descriptor, self.port) = try Self.listen(port)
        let thread: WorkerThread
        do {
            // The thread keeps the listener alive until it is told to stop.
            thread = try Self.startThread { self.acceptAll() }
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        self.thread.withLock { $0 = thread }
    }

    func close() {
        stop.ring()
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    private func acceptAll() {
        var threads: [Int: WorkerThread] = [:]
        while true {
            let listening = threads.count < Self.longestCrowd ? descriptor : -1
            var entries = [
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: departures.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listening, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&entries, nfds_t(entries.count), -1)
            if entries[0].revents != 0 { break }
            departures.answer()
            for number in takeDeparted() { threads.removeValue(forKey: number)?.join() }
            if entries[2].revents != 0, let (number, thread) = acceptOne() { threads[number] = thread }
        }
        Glibc.close(descriptor)
        for thread in threads.values { thread.join() }
    }

    private func acceptOne() -> (number: Int, thread: WorkerThread)? {
        // Never inherited, not even by a program that is started at this moment: its end would not close the connection.
        let socket = sluice_accept(descriptor)
        guard socket >= 0 else { return nil }
        let number = state.connectionOpened()
        do {
            let connection = try OriginConnection(socket: socket, number: number, state: state, stop: stop)
            let thread = try Self.startThread {
                connection.serve()
                self.state.connectionEnded()
                self.departed.withLock { $0.append(number) }
                self.departures.ring()
            }
            return (number, thread)
        } catch {
            Glibc.close(socket)
            state.connectionEnded()
            return nil
        }
    }

    private static func startThread(_ run: @escaping @Sendable () -> Void) throws(OriginError) -> WorkerThread {
        guard let thread = WorkerThread.start(run) else { throw OriginError(doing: "start a thread") }
        return thread
    }

    private func takeDeparted() -> [Int] {
        departed.withLock { departed in
            defer { departed = [] }
            return departed
        }
    }

    private static func listen(_ port: UInt16) throws(OriginError) -> (descriptor: Int32, port: UInt16) {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_INET, Int32(kind), 0)
        guard descriptor >= 0 else { throw OriginError(doing: "make a socket") }
        var yes: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 1024) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isListening else {
            let error = OriginError(doing: "listen on 127.0.0.1:\(port)")
            Glibc.close(descriptor)
            throw error
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
