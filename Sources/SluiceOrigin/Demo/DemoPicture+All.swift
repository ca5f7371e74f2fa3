internal import SluicePictures

extension DemoPicture {
    static let photos: [DemoPicture] = [
        photo("dunes-at-dusk", .dunes, 3, 1280, 853, 4),
        photo("erg-at-noon", .dunes, 1, 1024, 683, 3),
        photo("caravan-route", .dunes, 6, 1600, 700, 6),
        photo("alpine-lake", .mountains, 3, 1200, 800, 5),
        photo("red-ridge", .mountains, 2, 1100, 733, 4),
        photo("andes-by-night", .mountains, 4, 1280, 720, 7),
        photo("harbour-sunset", .sea, 1, 1280, 853, 5),
        photo("strait-in-the-morning", .sea, 3, 1024, 683, 3),
        photo("last-ferry", .sea, 8, 900, 1200, 8),
        photo("blue-hour", .city, 2, 1280, 853, 4),
        photo("rooftops", .city, 5, 800, 1200, 6),
        photo("tromso-lights", .aurora, 1, 1280, 853, 9),
        photo("lapland-0312", .aurora, 3, 1024, 683, 5),
        photo("polar-night", .aurora, 7, 1400, 600, 12),
    ]

    static let space: [DemoPicture] = [
        picture("/space/carina-wide.jpg", .nebula, 3, 840, 560, .progressive, 10),
        picture("/space/veil.webp", .nebula, 1, 720, 480, .webp, 4),
        picture("/space/saturn-approach.png", .planet, 1, 900, 600, .png, 11),
        picture("/space/ice-giant.png", .planet, 4, 720, 540, .png, 7),
    ]

    static let covers: [DemoPicture] =
        [
            "night-drive", "paper-moons", "low-tide", "static-bloom", "second-sun", "halfway-house", "signal-lost",
            "small-hours",
        ]
        .enumerated().map { index, name in
            let isLossless = index == 6
            return picture(
                "/covers/\(name).webp",
                .cover,
                UInt32(index + 1),
                600,
                600,
                isLossless ? .losslessWebP : .webp,
                Double(2 + index % 3)
            )
        }

    static let tiles: [DemoPicture] = (0..<12).map { index in
        let (column, row) = (index % 4, index / 4)
        return DemoPicture(
            path: "/tiles/7/\(column)_\(row).png",
            content: .tile(column: column, row: row),
            encoding: .png,
            seconds: 1 + Double(index % 4) * 0.3
        )
    }

    static let animations: [DemoPicture] = [
        picture("/anim/radar-loop.gif", .rings, 1, 240, 240, .animatedGIF, 6),
        picture("/anim/lava-lamp.gif", .plasma, 3, 200, 260, .animatedGIF, 9),
        picture("/anim/tide.webp", .plasma, 1, 320, 200, .animatedWebP, 5),
    ]

    private static func photo(
        _ name: String,
        _ subject: OriginImages.Subject,
        _ seed: UInt32,
        _ width: Int,
        _ height: Int,
        _ seconds: Double
    ) -> DemoPicture {
        picture("/photos/\(name).jpg", subject, seed, width, height, seconds > 6 ? .progressive : .jpeg, seconds)
    }

    static func picture(
        _ path: String,
        _ subject: OriginImages.Subject,
        _ seed: UInt32,
        _ width: Int,
        _ height: Int,
        _ encoding: Encoding,
        _ seconds: Double
    ) -> DemoPicture {
        DemoPicture(
            path: path,
            content: .scene(subject, width: width, height: height, seed: seed),
            encoding: encoding,
            seconds: seconds
        )
    }
}
