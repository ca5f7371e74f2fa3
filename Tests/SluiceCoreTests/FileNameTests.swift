import SluiceCore
import SluiceTestSupport
import Testing

struct FileNameTests {
    @Test(arguments: [
        ("http://h/cat.png", "cat.png"),
        ("http://h/a/b/cat.png?x=/y.gif", "cat.png"),
        ("http://h/", "index"),
        ("http://h/a/", "index"),
        ("http://h", "index"),
        ("http://h?a/b", "index"),
        ("http://h#a/b", "index"),
        ("http://h/a?b/c#d/e", "a"),
        ("http://h/a#b?c/d", "a"),
        ("http://h//", "index"),
        ("//h/a", "a"),
        ("h/a", "a"),
        ("", "index"),
        ("data:,a/b", "index"),
        ("http://h/saturn%20rings.jpg", "saturn rings.jpg"),
        ("http://h/krak%C3%B3w.webp", "kraków.webp"),
        ("http://h/a%2Fb%5Cc.png", "a_b_c.png"),
        ("http://h/%2e%2e", "__"),
        ("http://h/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "___.._etc_passwd"),
        ("http://h/..", "__"),
        ("http://h/.bashrc", "_bashrc"),
        ("http://h/...x", "___x"),
        ("http://h/a%00b%1B%5B2J.png", "ab[2J.png"),
        ("http://h/%E2%80%AEgpj.exe", "gpj.exe"),
        ("http://h/%20%20", "index"),
        ("http://h/a%3Cb%3E%3A%22%7C%3F%2A.png", "a_b______.png"),
        ("http://h/%FF%FE.png", "__.png"),
        ("http://h/100%.png", "100%.png"),
        ("http://h/cat.part", "cat.part_"),
        ("http://h/cat.BAD", "cat.BAD_"),
        ("http://h/part", "part"),
    ])
    func lastPathPartIsTheName(url: String, name: String) {
        #expect(FileName.choose(disposition: nil, url: url).name == name)
        #expect(FileName.listed(for: url) == name)
    }

    @Test(arguments: [
        ("attachment; filename=\"dog.png\"", "dog.png"),
        ("attachment; filename=dog.png", "dog.png"),
        ("attachment;FileName = my dog.png ; size=3", "my dog.png"),
        ("filename=\"dog.png\"", "dog.png"),
        ("attachment; filename=\"a;b\\\"c.png\"; x=y", "a;b_c.png"),
        ("attachment; filename=\"a%20b.png\"", "a b.png"),
        ("attachment; filename=\"dog.png\"; filename*=UTF-8''%C3%A9t%C3%A9.png", "été.png"),
        ("attachment; filename*=utf-8'fr'%C3%A9t%C3%A9.png; filename=\"dog.png\"", "été.png"),
        ("attachment; filename*=iso-8859-1''%E9t%E9.png", "été.png"),
        ("attachment; filename*=klingon''x.png; filename=dog.png", "dog.png"),
        ("attachment; filename=dog.png; filename*=UTF-8''", "dog.png"),
        ("attachment; filename*=UTF-8''%2F; filename=dog.png", "dog.png"),
        ("attachment; filename*=utf-8''%FF.png; filename=dog.png", "dog.png"),
        ("attachment; filename*=broken; filename=dog.png", "dog.png"),
        ("attachment; filename*=utf-8''bad%zz.png; filename=dog.png", "dog.png"),
        ("attachment; filename*=utf-8''bad%2; filename=dog.png", "dog.png"),
        ("inline", "url.png"),
        ("", "url.png"),
        ("attachment; filename=\"\"", "url.png"),
        ("attachment; filename=\"folder/\"", "url.png"),
        ("attachment; filename=\"unclosed.png", "unclosed.png"),
        ("attachment; filename=\"ev\u{1B}]0;PWNED\u{07}il.png\"", "ev]0;PWNEDil.png"),
        ("attachment; filename*=UTF-8''%C2%9B31m%E2%80%AEgpj.exe", "31mgpj.exe"),
        ("attachment; filename*=UTF-8''a%E2%80%8B%F3%A0%81%81b.png", "ab.png"),
        ("attachment; filename=\"../../../../tmp/x\"", "x"),
        ("attachment; filename*=UTF-8''..%2F..%2Ftmp%2Fx", "x"),
        ("attachment; filename=\"..\\\\..\\\\x.exe\"", "x.exe"),
        ("attachment; filename=\"/etc/passwd\"", "passwd"),
        ("attachment; filename=\"..\"", "__"),
        ("attachment; filename=\".bashrc\"", "_bashrc"),
        ("attachment; filename=\"cat.png.part\"", "cat.png.part_"),
    ])
    func dispositionGoesFirst(field: String, name: String) {
        #expect(FileName.choose(disposition: field, url: "http://h/url.png").name == name)
    }

    @Test func htmlInTheNameOfAnImageIsMarked() {
        let page = FileName.choose(disposition: nil, url: "http://h/x.JPG", contentType: "text/html", isHTML: true)
        #expect(page.name == "x.JPG.html")
        #expect(page.warning?.contains("text/html") == true)
        let proper = FileName.choose(disposition: nil, url: "http://h/x.html", contentType: "text/html", isHTML: true)
        #expect(proper.name == "x.html" && proper.warning == nil)
        #expect(FileName.choose(disposition: nil, url: "http://h/x.jpg", contentType: "text/html").warning == nil)
    }

    @Test func longNamesAreCutBetweenCharactersAndKeepTheirExtension() {
        let long = FileName.safe(String(repeating: "é", count: 150) + ".jpeg")
        #expect(long == String(repeating: "é", count: 97) + ".jpeg")
        let family = FileName.safe(String(repeating: "👨‍👩‍👧", count: 30) + ".png")
        #expect(family.hasSuffix(".png") && family.utf8.count <= 200)
        #expect(FileName.safe(String(repeating: "a", count: 300) + ".part").utf8.count == 200)
        #expect(FileName.safe("a" + String(repeating: "\u{301}", count: 300)).utf8.count <= 200)
        let lure = String(repeating: "a", count: 195) + ".part" + String(repeating: "b", count: 30)
        #expect(FileName.safe(lure).hasSuffix(".part_"))
        let page = FileName.choose(
            disposition: nil,
            url: "http://h/" + String(repeating: "a", count: 300) + ".png",
            isHTML: true
        )
        #expect(page.name.utf8.count == 200 && page.name.hasSuffix(".png.html"))
    }

    @Test func noTextMakesAHarmfulName() {
        let pieces = [
            ".", "..", "/", "\\", "%2F", "%2e", "\0", "\u{1B}[2J", "\u{9B}", "\u{202E}", "\u{200B}", "\u{E0041}", " ",
            "\t", "é", "👩‍👧", "a", "photo", ".png", ".part", ".bad", ":", "\"", ";", "=", "filename", "'", "utf-8''",
            "%00", "%FF", "~", "-", "\r\n", "\u{301}", "\u{FEFF}", "CON",
        ]
        var random = SeededRandom(seed: 99)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...60, using: &random)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            let prefix = ["filename=", "filename=\"", "filename*=utf-8''"][Int.random(in: 0..<3, using: &random)]
            let isHTML = Bool.random(using: &random)
            for name in [
                FileName.safe(text),
                FileName.choose(disposition: prefix + text, url: "http://h/" + text, isHTML: isHTML).name,
            ] {
                guard let problem = problem(with: name) else { continue }
                Issue.record("\(problem) in the name of \(text.debugDescription)")
                return
            }
        }
    }

    private func problem(with name: String) -> String? {
        if name.isEmpty || name.utf8.count > 200 { return "\(name.utf8.count) bytes" }
        if name.hasPrefix(".") { return "a leading dot" }
        if name.unicodeScalars.contains(where: { "/\\:\"<>|?*".unicodeScalars.contains($0) }) { return "a separator" }
        if name.unicodeScalars.contains(where: \.isHazardous) { return "a control character" }
        if name.lowercased().hasSuffix(".part") || name.lowercased().hasSuffix(".bad") { return "an ending" }
        return nil
    }
}
