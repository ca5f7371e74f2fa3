internal import SluiceCore

/// Looking at the machines in place, where it counts: read as a property, each is copied with a reference for each of its
/// lists.
///
/// `look` gets the machine itself, since a copy is what this saves, and changes nothing of it. It may touch nothing else of
/// the pipeline: a release build would not notice that it changes what is being looked at.
extension ImagePipeline {
    func inScheduler<Result>(_ look: (inout DownloadScheduler) -> Result) -> Result { look(&scheduler) }

    func inCache<Result>(_ look: (inout PurgingCache<OwnedImage>) -> Result) -> Result { look(&cache) }
}
