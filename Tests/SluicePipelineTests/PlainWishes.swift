import SluiceCore

@testable import SluicePipeline

extension TransferBody.Wishes {
    /// What nobody in particular wants of a body at `http://test/`: no file, no image, no limits but the one given.
    static func plain(memoryLimit: Int = 0) -> Self {
        Self(
            url: "http://test/",
            saves: false,
            onExists: .rename,
            replaces: ReplaceableFiles(),
            otherNames: [],
            decodes: false,
            acceptsOnlyImages: false,
            allowsPartial: false,
            method: "GET",
            mayCache: true,
            mayRepeat: true,
            maxFileSize: 0,
            maxPixels: 0,
            memoryLimit: memoryLimit
        )
    }
}
