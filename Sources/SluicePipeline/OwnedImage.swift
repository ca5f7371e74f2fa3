import SluiceCore

/// An image in the memory cache, with the key of the download that brought it.
///
/// Entries are found by keys as text, which tell what goes beside a URL by few digits: two users' may be the same.
struct OwnedImage: Sendable {
    let image: DecodedImage
    let owner: MergeKey
}
