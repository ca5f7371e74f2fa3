internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem
internal import SluiceUI

/// Adds a `[[trust]]` section to the configuration file, and changes nothing else in it.
///
/// What is added is shown to the user first, so there are two steps; in between nobody may
/// have changed the file. It is never seen half written: a copy is completed beside it, synced, and
/// renamed over it.
struct TrustPinFile {
    /// As it was named, or where it will be.
    let path: String

    /// Where the section would go, and what it would say.
    ///
    /// - Parameters:
    ///   - host: As a pattern is written.
    ///   - url: The host as a URL.
    ///   - pins: `sha256/…`.
    /// - Returns: What to show, with the file as it is now.
    /// - Throws: What to do instead, if the file already says whom to trust there, or can't be used.
    func draft(host: String, url: RequestURL, pins: [String]) throws(TrustError) -> PinDraft {
        let bytes = try read()
        let (line, base) = try said(of: host, url, bytes)
        if let line {
            let place = "\(HomeFolder.abbreviated(path)):\(line)"
            let wanted = try pins.map { pin throws(TrustError) in try TrustPin.hash(pin) }
            let isPinned = base.pinning == .publicKey && !wanted.isEmpty && wanted.allSatisfy(base.pins.contains)
            if isPinned { throw TrustError("\(place) pins \(host) to this already: there is nothing to add") }
            throw TrustError("\(place) already says whom to trust for \(host): add the pin to its pins")
        }
        if base.pinning == .certificate {
            throw TrustError(
                "\(HomeFolder.abbreviated(path)) compares whole certificates for \(host): add a PEM or DER file to its pins"
            )
        }
        var draft = PinDraft(host: host, pins: pins)
        draft.file = HomeFolder.abbreviated(path)
        draft.lines = TrustSectionText(host: host, pins: pins, over: base).lines
        draft.before = bytes
        return draft
    }

    /// Whom the file would trust if it said what a draft says.
    ///
    /// - Throws: If it could not be read then.
    func trust(with draft: PinDraft) throws(TrustError) -> TrustBookBuilder {
        let bytes = draft.before + TrustSectionText(lines: draft.lines).appendix(to: draft.before)
        do throws(ConfigurationError) {
            return try TrustSections.read(ConfigurationFile(path: path, bytes: bytes))
        } catch {
            throw TrustError(error.message)
        }
    }

    /// Writes what a draft says.
    ///
    /// - Throws: If the file is not what it was when the draft was made, or can't be written.
    func write(_ draft: PinDraft) throws(TrustError) {
        let bytes = try read()
        guard bytes == draft.before else {
            throw TrustError(
                "\(HomeFolder.abbreviated(path)) was changed meanwhile and is left as it is: pin once more"
            )
        }
        let section = TrustSectionText(lines: draft.lines)
        try replace(with: bytes + section.appendix(to: bytes))
    }

    /// The line of the section that names exactly this host, and what the file says of it so far.
    private func said(
        of host: String,
        _ url: RequestURL,
        _ bytes: [UInt8]
    ) throws(TrustError) -> (line: Int?, TrustPolicy) {
        do throws(ConfigurationError) {
            let file = try ConfigurationFile(path: path, bytes: bytes)
            let policy = try TrustSections.read(file).book.policy(host: url.host, port: url.port)
            return (try Self.line(of: host, in: file), policy)
        } catch {
            throw TrustError(error.message)
        }
    }

    /// The line of the section that names exactly this host.
    private static func line(of host: String, in file: ConfigurationFile) throws(ConfigurationError) -> Int? {
        let wanted = HostPattern(host)
        return try file.tables("trust").first { section in
            section.entries.contains { $0.key == "host" && $0.node.string.flatMap(HostPattern.init) == wanted }
        }?.line
    }

    private func read() throws(TrustError) -> [UInt8] {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(path)
        } catch {
            if error.isMissing { return [] }
            throw TrustError("can't read \(HomeFolder.abbreviated(path)): \(error.text)")
        }
    }

    private func replace(with bytes: [UInt8]) throws(TrustError) {
        // A link stays a link: what it leads to is replaced.
        let target = resolved ?? path
        let folder = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
        // The user's own place for it is absolute; a relative one was named, and its folder is the user's to make.
        let made = folder.hasPrefix("/") ? FolderPath.make(folder, for: .owner) : 0
        var status = stat()
        let mode = unsafe stat(target, &status) == 0 ? status.st_mode & 0o777 : 0o600
        let copy = target + ".\(getpid()).new"
        let descriptor = unsafe open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write", made == 0 ? errno : made) }
        let isWhole =
            fchmod(descriptor, mode) == 0 && EventWriter.writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWhole, unsafe rename(copy, target) == 0 else {
            let code = isWhole ? errno : code
            unsafe unlink(copy)
            throw failure("write", code)
        }
        let parent = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return }
        fsync(parent)
        close(parent)
    }

    private var resolved: String? {
        guard let path = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    private func failure(_ what: String, _ code: Int32) -> TrustError {
        TrustError("can't \(what) \(HomeFolder.abbreviated(path)): \(unsafe String(cString: strerror(code)))")
    }
}
