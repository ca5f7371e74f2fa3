internal import SluiceCore
internal import SluicePipeline
internal import SluiceSystem
internal import SluiceTerminal
internal import SluiceUI

/// Carries out what a dashboard asks for, on the thread that shows it.
///
/// What may wait for a disk runs in the background, and answers through the mailbox.
struct DashboardEffects {
    let session: Session
    let mailbox: Mailbox
    /// How what is typed is fetched: the method and body of the command line are for the URLs there.
    let typedOptions: RequestOptions
    /// Whether lines typed at the prompt are kept for the next time.
    let keepsHistory: Bool
    /// Looks at files and folders while their names are typed; not the decoders' threads, since a share may hang.
    let disk = BlockingPool(threads: 2)
    /// `nil` where lines are printed, which show no pictures.
    var pictures: PictureDesk?
    /// `nil` where lines are printed; a command of its own tells the same.
    var trust: TrustDesk?

    /// - Returns: What the dashboard has to hear of it at once.
    func perform(_ effect: AppEffect) -> AppEvent? {
        switch effect {
        case .submitPicture(let request): pictures?.submit(request)
        case .readPicture(let request): pictures?.read(request)
        case .dropPicture(let ask): pictures?.drop(ask)
        case .lookAtTrust(let ask, let url):
            guard let trust else {
                return .notice("'sluice trust \(url.host)' tells this in lines", isError: false)
            }
            trust.look(ask, url)
        case .draftPin(let host, let url, let pins):
            guard let trust else { return .notice("'sluice trust \(host)' tells what to write", isError: false) }
            trust.draft(host: host, url, pins: pins)
        case .pin(let draft): trust?.pin(draft)
        case .pipeline(.submit(let requests)):
            session.pipeline.send(.submit(requests.map { typed($0) }))
        case .pipeline(.probe(let probe)):
            let requests = probe.requests.map { typed($0) }
            session.pipeline.send(.probe(URLProbe(serial: probe.serial, requests: requests)))
        case .pipeline(let command):
            session.pipeline.send(command)
        case .readList(let path):
            readList(path)
        case .lookAtList(let path):
            disk.add(.normal) { [mailbox] in
                mailbox.post(answer: .listLook(path: path, ListFile.look(HomeFolder.expanded(path))))
            }
        case .readFolder(let path):
            disk.add(.normal) { [mailbox] in
                mailbox.post(answer: .folder(path: path, names: FolderCompletion.names(in: HomeFolder.expanded(path))))
            }
        case .saveHistory(let lines):
            if keepsHistory { HistoryFile.write(lines) }
        case .open(let path):
            if let problem = Opener.open(path) { return .notice(problem, isError: true) }
        case .repaint, .stop, .mouse, .askForGround, .quit, .copy:
            break
        }
        return nil
    }

    private func typed(_ request: DownloadRequest) -> DownloadRequest {
        var request = request
        request.options = typedOptions
        return request
    }

    /// On a thread of its own: a pipe waits for who writes it, a share for its server, and no decoder must wait for them.
    private func readList(_ path: String) {
        let reader = WorkerThread.start { [mailbox] in
            let result: Result<[String], ListError>
            do {
                result = .success(Self.padded(try ListFile.read(HomeFolder.expanded(path))))
            } catch let failure as ListFailure {
                result = .failure(ListError(message: failure.message, path: failure.path))
            } catch {
                result = .failure(ListError(message: "can't read the list \(path)", path: path))
            }
            mailbox.post(answer: .list(path: path, result))
        }
        guard let reader else {
            let message = "can't read the list \(path): out of threads; close other programs"
            return mailbox.post(answer: .list(path: path, .failure(ListError(message: message, path: path))))
        }
        reader.detach()
    }

    /// The lines of a list at their places, with blanks for those that were skipped.
    private static func padded(_ lines: [(number: Int, text: String)]) -> [String] {
        var padded: [String] = []
        for (number, text) in lines {
            padded += repeatElement("", count: max(0, number - 1 - padded.count))
            padded.append(text)
        }
        return padded
    }
}
