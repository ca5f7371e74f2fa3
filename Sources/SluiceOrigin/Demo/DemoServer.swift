internal import SluiceCore

/// Answers requests for the demo's pictures, at the demo's speed.
struct DemoServer: Sendable {
    let files = DemoFiles()
    let speed: Double
    let lastModified: String

    func file(_ picture: DemoPicture) -> [UInt8] { files.file(picture.path) { picture.file() } }

    func response(_ picture: DemoPicture, _ request: OriginRequest) -> OriginResponse {
        response(picture, request, file(picture))
    }

    func response(_ picture: DemoPicture, _ request: OriginRequest, _ file: [UInt8]) -> OriginResponse {
        var response = OriginResponse.resource(
            .bytes(file),
            for: request,
            type: picture.format.mimeType,
            etag: "\"\(file.count)\"",
            lastModified: lastModified
        )
        if case .tile = picture.content { response.headers.append(HeaderField("Cache-Control", "max-age=3600")) }
        response.bytesPerSecond = rate(bytes: file.count, seconds: picture.seconds)
        if speed > 0 { response.delay = .milliseconds(Int(Double(80 + file.count % 7 * 40) / speed)) }
        return response
    }

    /// Bytes a second at which so many take so long, at the demo's speed.
    func rate(bytes: Int, seconds: Double) -> Int? {
        speed > 0 ? max(1, Int(Double(bytes) / seconds * speed)) : nil
    }
}
