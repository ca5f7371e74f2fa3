internal import SluiceCore
internal import SluicePictures

/// Fills an origin with the routes of the demo, and lists them.
struct DemoScript {
    private(set) var resources: [DemoResource] = []

    private let origin: Origin
    private let server: DemoServer

    init(origin: Origin, speed: Double, lastModified: String) {
        self.origin = origin
        server = DemoServer(speed: speed, lastModified: lastModified)
    }

    mutating func addPictures() {
        for picture in DemoPicture.photos + DemoPicture.space { add(picture, .picture, "a photo") }
        for picture in DemoPicture.covers { add(picture, .picture, "a record cover") }
        for picture in DemoPicture.tiles { add(picture, .tile, "a map tile, fresh for an hour") }
        for picture in DemoPicture.animations { add(picture, .animation, "an animation; the first frame is shown") }
    }

    mutating func addFiles() {
        let server = server
        add("/files/satellite-raw.bin", .file, "64 MiB of data at 4 MiB/s") { request, _ in
            var response = OriginResponse.resource(.pattern(count: 64 << 20), for: request, etag: "\"raw-1\"")
            response.bytesPerSecond = server.rate(bytes: 4 << 20, seconds: 1)
            return response
        }
        add("/files/map-tiles.tar", .file, "an archive of all map tiles") { request, _ in
            let file = server.files.file(request.path) {
                TapeArchive.archive(
                    DemoPicture.tiles.map { (String($0.path.dropFirst()), server.file($0)) }
                )
            }
            var response = OriginResponse.resource(
                .bytes(file),
                for: request,
                type: "application/x-tar",
                etag: "\"tar-1\""
            )
            response.bytesPerSecond = server.rate(bytes: file.count, seconds: 8)
            return response
        }
    }

    mutating func addTroubles() {
        let server = server
        addTrouble("/flaky/weather-map.jpg", .sea, 12, "503 with Retry-After: 2 at first, then fine") { picture, nth in
            guard nth == 1 else { return picture() }
            return OriginResponse(
                503,
                headers: [HeaderField("Retry-After", "2")],
                body: .bytes(Array("busy, please come back\n".utf8))
            )
        }
        addTrouble("/flaky/panorama.jpg", .mountains, 11, "ends halfway at first, then fine") { picture, nth in
            var response = picture()
            if nth == 1 { response.fault = .close(after: response.body.count * 6 / 10) }
            return response
        }
        addTrouble("/stream/webcam.jpg", .city, 9, "no length announced, so no percentage") { picture, _ in
            var response = picture()
            response.framing = .chunked(size: 4096)
            return response
        }
        add("/archive/lost-postcard.jpg", .trouble, "404: it is gone") { _, _ in
            OriginResponse(404, body: .bytes(Array("no such postcard\n".utf8)))
        }
        add("/members/portrait.jpg", .trouble, "a page to log in where an image should be") { _, _ in
            .text("<!DOCTYPE html>\n<html><title>Log in</title><body>Members only.</body></html>\n", type: "text/html")
        }
        add("/old/dunes.jpg", .trouble, "moved: a redirect to another photo") { _, _ in
            .redirect(to: DemoPicture.photos[0].path, status: 301)
        }
        let scan = DemoPicture.picture("/scans/damaged-slide.png", .planet, 7, 480, 360, .png, 2)
        add(scan.path, .trouble, "a damaged PNG") { request, _ in
            let damaged = server.files.file(request.path) {
                var file = scan.file()
                // Past the headers, so that only decoding can notice.
                for offset in stride(from: file.count / 3, to: file.count * 2 / 3, by: 97) { file[offset] ^= 0x55 }
                return file
            }
            return server.response(scan, request, damaged)
        }
    }

    private mutating func add(_ picture: DemoPicture, _ kind: DemoResource.Kind, _ note: String) {
        let server = server
        add(picture.path, kind, note) { request, _ in server.response(picture, request) }
    }

    private mutating func add(
        _ path: String,
        _ kind: DemoResource.Kind,
        _ note: String,
        _ script: @escaping Origin.Script
    ) {
        resources.append(DemoResource(path: path, kind: kind, note: note))
        origin.route(path, script)
    }

    private mutating func addTrouble(
        _ path: String,
        _ subject: OriginImages.Subject,
        _ seed: UInt32,
        _ note: String,
        _ script: @escaping @Sendable (() -> OriginResponse, Int) -> OriginResponse
    ) {
        let server = server
        let picture = DemoPicture.picture(path, subject, seed, 900, 600, .jpeg, 4)
        add(path, .trouble, note) { request, nth in script({ server.response(picture, request) }, nth) }
    }
}
