internal import SluiceCore
internal import SluiceSystem

/// What the threads of an origin share: the script, the gates, and the log.
///
/// Everything is behind one lock, held to read and write values only. Whoever waits for
/// a change leaves a bell here.
final class OriginState: Sendable {
    private struct Contents {
        var log = OriginLog()
        var routes: [String: Origin.Script] = [:]
        var fallback: Origin.Script = { _, _ in OriginResponse(404, body: .bytes(Array("not found\n".utf8))) }
        var holdsAll = false
        var heldPaths: Set<String> = []
        /// Rung at every change of the log.
        var watchers: [Int: Doorbell] = [:]
        /// Rung at every release.
        var waiting: [Int: Doorbell] = [:]
        var nextKey = 0

        func isHeld(_ path: String) -> Bool { holdsAll || heldPaths.contains(path) }
    }

    private let contents = Locked(Contents())

    var log: OriginLog { contents.withLock { $0.log } }

    func route(_ path: String?, _ script: @escaping Origin.Script) {
        contents.withLock { contents in
            if let path { contents.routes[path] = script } else { contents.fallback = script }
        }
    }

    /// Registers a request that arrived whole; answers with its script and its number for its path.
    func began(_ request: OriginRequest, at time: Timestamp) -> (script: Origin.Script, nth: Int) {
        let path = request.path
        let hit = OriginLog.Hit(path: path, method: request.method, connection: request.connection, at: time)
        return change { contents in
            contents.log.requests.append(hit)
            contents.log.hits[path, default: 0] += 1
            contents.log.active += 1
            contents.log.peakActive = max(contents.log.peakActive, contents.log.active)
            return (contents.routes[path] ?? contents.fallback, contents.log.hits(path))
        }
    }

    func finished() { change { $0.log.active -= 1 } }
    func answered() { change { $0.log.answered += 1 } }
    func clientClosed(_ close: OriginLog.Close) { change { $0.log.closes.append(close) } }

    func connectionOpened() -> Int {
        change { contents in
            contents.log.connections += 1
            contents.log.openConnections += 1
            return contents.log.connections
        }
    }

    func connectionEnded() { change { $0.log.openConnections -= 1 } }

    func hold(_ path: String?) {
        contents.withLock { contents in
            if let path { contents.heldPaths.insert(path) } else { contents.holdsAll = true }
        }
    }

    func release(_ path: String?) {
        let bells = contents.withLock { contents in
            if let path {
                contents.heldPaths.remove(path)
            } else {
                contents.holdsAll = false
                contents.heldPaths = []
            }
            return Array(contents.waiting.values)
        }
        for bell in bells { bell.ring() }
    }

    /// Registers a request at its gate; `nil` if the gate is open.
    func waitAtGate(_ path: String, _ bell: Doorbell) -> Int? {
        change { contents in
            guard contents.isHeld(path) else { return nil }
            contents.nextKey += 1
            contents.waiting[contents.nextKey] = bell
            contents.log.held += 1
            return contents.nextKey
        }
    }

    func isHeld(_ path: String) -> Bool { contents.withLock { $0.isHeld(path) } }

    func leaveGate(_ key: Int) {
        change { contents in
            contents.waiting[key] = nil
            contents.log.held -= 1
        }
    }

    func addWatcher(_ bell: Doorbell) -> Int {
        contents.withLock { contents in
            contents.nextKey += 1
            contents.watchers[contents.nextKey] = bell
            return contents.nextKey
        }
    }

    func removeWatcher(_ key: Int) { contents.withLock { $0.watchers[key] = nil } }

    private func change<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
        let (result, bells) = contents.withLock { contents in
            let result = body(&contents)
            return (result, Array(contents.watchers.values))
        }
        for bell in bells { bell.ring() }
        return result
    }
}
