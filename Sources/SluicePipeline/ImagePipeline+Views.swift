internal import Glibc
public import SluiceCore

/// What views of images need beside a submit: the file of an earlier save.
extension ImagePipeline {
    /// Decodes the file that this session saved for a URL, else an earlier one; touches no cache, and never the network.
    ///
    /// - Parameters:
    ///   - url: As it was submitted.
    ///   - completion: Hears the image, or `notCached` if there is no such file, on a thread of the pool or the loop's;
    ///     or `cancelled`, if the pipeline has ended or ends before, on the thread that asks or closes the pool.
    public nonisolated func readSaved(
        _ url: String,
        completion: @escaping @Sendable (Result<DecodedImage, DownloadError>) -> Void
    ) {
        if !post(.readSaved(url: url, completion)) { completion(.failure(.cancelled)) }
    }

    func readSaved(_ text: String, _ completion: @escaping @Sendable (Result<DecodedImage, DownloadError>) -> Void) {
        let missing = DownloadError(.notCached, "neither in memory nor in a file that Sluice saved")
        guard isOpen else { return completion(.failure(.cancelled)) }
        let known: SavedFile?
        do throws(DownloadError) {
            let url = keyFilter.key(for: try RequestURL(text).url)
            // What was asked for with headers or credentials has another key, and is the same picture.
            let key = MergeKey(url: url)
            known = knownFiles.savedNow(key) ?? knownFiles.savedNow(url) ?? knownFiles[key]
        } catch {
            return completion(.failure(error))
        }
        guard let known, let files, files.isIntact(known) else { return completion(.failure(missing)) }
        guard known.size <= Self.decodeLimit else {
            return completion(.failure(DownloadError(.tooLarge, "the file is too large to be shown")))
        }
        let (decoder, maxPixels) = (decoder, settings.maxPixels)
        pool.add(.low) {
            let descriptor = unsafe open(known.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { return completion(.failure(missing)) }
            let job = DecodeJob(
                descriptor: descriptor,
                bytes: [],
                count: known.size,
                decoder: decoder,
                maxPixels: maxPixels
            )
            completion(job.run())
        } dropped: {
            completion(.failure(.cancelled))
        }
    }
}
