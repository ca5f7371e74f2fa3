import SluiceCore
import SluiceOrigin

extension Origin {
    /// Serves an image everywhere that the HTTP cache keeps.
    func serveStorableImage() {
        let image = Picture.png(width: 30, height: 20)
        setFallback { _, _ in
            var answer = OriginResponse.bytes(image, type: "image/png")
            answer.headers.append(HeaderField("Cache-Control", "max-age=1000"))
            return answer
        }
    }
}
