internal import SluiceCore
internal import SluiceCurl
internal import SluicePipeline
internal import SluiceTerminal
internal import SluiceUI

/// Looks at certificates for the screen, and pins keys in the configuration file.
///
/// The pipeline says whom it trusts; the look itself waits for a host that may be slow, so it runs on
/// threads of its own and keeps neither screen nor downloads waiting.
final class TrustDesk: Sendable {
    private let session: Session
    private let mailbox: Mailbox
    /// Of the configuration; `nil` if nothing may be kept.
    private let path: String?
    /// As many looks as hosts may keep silent, while somebody goes on to the next one.
    private let lookers = BlockingPool(threads: 8)
    /// The last look that was asked for: nobody waits for those before it.
    private let latest = Locked(0)

    /// - Parameters:
    ///   - session: Whose trust it is.
    ///   - mailbox: Takes the answers.
    ///   - path: Of the configuration file, whether it is there or not.
    init(_ session: Session, _ mailbox: Mailbox, path: String?) {
        (self.session, self.mailbox, self.path) = (session, mailbox, path)
    }

    deinit { lookers.close() }

    /// Looks at the host of a URL; answered by ``AppEvent/trust(ask:_:)``.
    func look(_ ask: Int, _ url: RequestURL) {
        latest.withLock { $0 = ask }
        session.pipeline.ask(.trust) { [self] reply in
            guard case .trust(let book) = reply.answer else { return }
            let proxy = session.proxies.proxy(forHost: url.host, isSecure: true)
            lookers.add(.normal) { [self] in
                guard latest.withLock({ $0 == ask }) else { return }
                var way = TrustProbe.Way(proxy: proxy, timeout: TransportLimits.usualConnectTimeout)
                (way.ipVersion, way.proxyAuthorities) = (session.ipVersion, session.proxyAuthorities)
                way.userAgent = session.userAgent
                let policy = book.policy(host: url.host, port: url.port)
                let look = TrustLook(url: url, inForce: policy, way: way, tries: true)
                let result: Result<TrustReport, DownloadError>
                do throws(DownloadError) { result = .success(try look.report()) } catch { result = .failure(error) }
                mailbox.post(answer: .trust(ask: ask, result))
            }
        }
    }

    /// Says what pinning would write; answered by ``AppEvent/pinDraft(_:)`` or a notice.
    func draft(host: String, _ url: RequestURL, pins: [String]) {
        guard let path else { return mailbox.post(answer: .pinDraft(PinDraft(host: host, pins: pins))) }
        lookers.add(.normal) { [self] in
            do throws(TrustError) {
                let draft = try TrustPinFile(path: path).draft(host: host, url: url, pins: pins)
                mailbox.post(answer: .pinDraft(draft))
            } catch {
                mailbox.post(answer: .notice(error.message, isError: true))
            }
        }
    }

    /// Writes a draft, then puts it in force; answered by ``AppEvent/pinned(_:)`` or a notice.
    func pin(_ draft: PinDraft) {
        guard let pattern = HostPattern(draft.host) else { return }
        session.pipeline.ask(.trust) { [self] reply in
            guard case .trust(let book) = reply.answer else { return }
            lookers.add(.normal) { [self] in
                do throws(TrustError) {
                    var pins: [TrustPin] = []
                    for pin in draft.pins { pins.append(try TrustPin.hash(pin)) }
                    let change = TrustChange.pin(pattern, pins)
                    // What can't be in force is not kept either.
                    _ = try book.changed(by: change)
                    if let path, draft.file != nil { try TrustPinFile(path: path).write(draft) }
                    putInForce(change, draft)
                } catch {
                    mailbox.post(answer: .notice(error.message, isError: true))
                }
            }
        }
    }

    private func putInForce(_ change: TrustChange, _ draft: PinDraft) {
        session.pipeline.ask(.changeTrust(change)) { [self] reply in
            switch reply.answer {
            case .trustRefused(let error): mailbox.post(answer: .notice(error.message, isError: true))
            default: mailbox.post(answer: .pinned(draft))
            }
        }
    }
}
