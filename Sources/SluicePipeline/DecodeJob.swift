internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// Decodes one body on a thread of the pool.
struct DecodeJob: Sendable {
    /// The part file, closed after use; −1 if the body is in `bytes`.
    let descriptor: Int32
    let bytes: [UInt8]
    /// Bytes of the file.
    let count: Int
    let decoder: any ImageDecoding
    let maxPixels: Int

    func run() -> Result<DecodedImage, DownloadError> {
        do throws(DownloadError) {
            guard descriptor >= 0 else { return .success(try decoder.decode(bytes.span, maxPixels: maxPixels)) }
            defer { drop() }
            let contents = try read()
            return .success(try decoder.decode(contents.span, maxPixels: maxPixels))
        } catch {
            return .failure(error)
        }
    }

    /// Lets go of the file; all that is left to do where the job never began.
    func drop() { if descriptor >= 0 { close(descriptor) } }

    /// Read, not mapped: a file that somebody cuts short meanwhile must be an error and no signal.
    private func read() throws(DownloadError) -> [UInt8] {
        let contents = FileBytes.read(descriptor, count, at: 0)
        guard contents.count == count else {
            throw DownloadError(.ioError, "the saved image can't be read back; is the disk in order?")
        }
        return contents
    }
}
