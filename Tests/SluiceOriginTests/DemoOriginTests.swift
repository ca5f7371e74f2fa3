import SluiceCore
import SluiceOrigin
import SluicePictures
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DemoOriginTests {
    @Test func theCatalogueHasEveryKindAndNoPathTwice() throws {
        let demo = try DemoOrigin()
        let images = demo.resources.filter { $0.kind != .file && $0.kind != .trouble }
        #expect(images.count >= 40)
        #expect(Set(demo.resources.map(\.path)).count == demo.resources.count)
        #expect(Set(demo.resources.map(\.kind)) == Set(DemoResource.Kind.allCases))
        #expect(demo.resources.allSatisfy { $0.path.hasPrefix("/") && !$0.note.isEmpty })
    }

    @Test func tilesAreImagesThatStayFresh() throws {
        let demo = try DemoOrigin(speed: 0)
        let tile = try #require(demo.resources.first { $0.kind == .tile })

        let answer = try RawClient(demo.origin).get(tile.path)

        #expect(answer.field("content-type") == "image/png")
        #expect(answer.field("cache-control") == "max-age=3600")
        let info = ImageInfo.read(answer.body.span)
        #expect(info == ImageInfo(format: .png, width: 256, height: 256))
        let etag = try #require(answer.field("etag"))
        #expect(try RawClient(demo.origin).get(tile.path, ["If-None-Match: \(etag)"]).status == 304)
    }

    @Test func troublesGoWrongAsTheirNotesSay() throws {
        let demo = try DemoOrigin(speed: 0)
        let client = try RawClient(demo.origin)

        let busy = try client.get("/flaky/weather-map.jpg")
        #expect(busy.status == 503)
        #expect(busy.field("retry-after") == "2")
        #expect(try client.get("/archive/lost-postcard.jpg").status == 404)
        let page = try client.get("/members/portrait.jpg").body
        let isPage = ImageFormat.looksLikeHTML(page.span)
        #expect(isPage)
        let moved = try client.get("/old/dunes.jpg")
        #expect(moved.status == 301)
        let target = try #require(moved.field("location"))
        #expect(demo.resources.contains { $0.path == target })
        #expect(try client.get("/nowhere").status == 404)
    }

    @Test func theLargeFileCanBeResumed() throws {
        let demo = try DemoOrigin(speed: 0)
        let answer = try RawClient(demo.origin).get("/files/satellite-raw.bin", ["Range: bytes=67108860-"])
        #expect(answer.status == 206)
        #expect(answer.body == (67_108_860..<67_108_864).map { OriginPattern.byte(at: $0) })
    }

    @Test func slowAnswersEndWithTheirOrigin() throws {
        let demo = try DemoOrigin(speed: 0.000_1)
        let client = try RawClient(demo.origin)
        client.send("GET", "/files/satellite-raw.bin")
        #expect(demo.origin.waitUntil { $0.active == 1 })
        demo.close()
        #expect(demo.origin.log.openConnections == 0)
    }

    @Test(arguments: OriginImages.Subject.allCases) func picturesDependOnTheirSeedAlone(subject: OriginImages.Subject) {
        let picture = OriginImages.draw(subject, width: 48, height: 32, seed: 5)
        #expect(picture.pixels == OriginImages.draw(subject, width: 48, height: 32, seed: 5).pixels)
        #expect(Set(stride(from: 0, to: picture.pixels.count, by: 4).map { picture.pixels[$0] }).count > 4)
        let others = (1...4).map { OriginImages.draw(subject, width: 48, height: 32, seed: $0).pixels }
        #expect(Set(others).count > 1)
    }

    @Test func picturesOfOnePixelCanBeDrawn() {
        for subject in OriginImages.Subject.allCases {
            #expect(OriginImages.draw(subject, width: 1, height: 1).pixels.count == 4)
        }
    }
}
