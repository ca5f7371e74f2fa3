internal import SluiceCore

/// Limits that the user changes while bodies arrive.
extension ImagePipeline {
    /// Lets what arrives be judged by the settings as they are now.
    func judgeTransfersAnew() {
        for (transfer, active) in transfers where active.step == .receiving {
            // Its answer may have come in this very turn, and is told before its end.
            responded(transfer)
            guard active.step == .receiving else { continue }
            active.body.limit(
                fileSize: settings.maxFileSize,
                pixels: settings.maxPixels,
                acceptsOnlyImages: settings.acceptOnly == .image
            )
            attempt(transfer) { () throws(DownloadError) in
                do throws(DownloadError) {
                    try active.body.judgeAnew()
                } catch {
                    // It is stopped here, so the transport says nothing more of it.
                    reportLastProgress(transfer)
                    throw error
                }
            }
        }
    }
}
