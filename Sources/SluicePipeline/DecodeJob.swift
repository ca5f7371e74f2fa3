internal import Glibc
internal import SluiceCore

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
            defer { close(descriptor) }
            let contents = try read()
            return .success(try decoder.decode(contents.span, maxPixels: maxPixels))
        } catch {
            return .failure(error)
        }
    }

    /// Read, not mapped: a file that somebody cuts short meanwhile must be an error and no signal.
    private func read() throws(DownloadError) -> [UInt8] {
        var contents = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe contents.withUnsafeMutableBytes { bytes in
                unsafe pread(descriptor, bytes.baseAddress?.advanced(by: filled), count - filled, off_t(filled))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                throw DownloadError(.ioError, "the saved image can't be read back; is the disk in order?")
            }
            filled += got
        }
        return contents
    }
}
