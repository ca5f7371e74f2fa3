import SluiceCore
import Testing

struct MediaTypeTests {
    @Test(
        arguments: [
            (nil, nil), ("", nil), (";", nil), (" , text/html", nil), ("image/png", "image/png"),
            ("Image/PNG", "image/png"), ("image/png;q=1", "image/png"), (" image/png ", "image/png"),
            ("image/\tpng", "image/png"), ("text/html, image/png", "text/html"), ("image/png;", "image/png"),
            ("text/ÄÖ", "text/äö"), ("application/octet-stream", "application/octet-stream"),
        ] as [(String?, String?)]
    )
    func isTheTypeAloneInLowerCase(_ sent: String?, _ type: String?) {
        #expect(ResponseHead.mediaType(of: sent) == type)
    }
}
