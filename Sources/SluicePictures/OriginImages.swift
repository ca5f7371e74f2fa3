public import SluiceCore

/// Pictures for the origin to serve, drawn by formulas: no files, and the same ones everywhere.
public enum OriginImages {
    /// What is drawn.
    public enum Subject: String, CaseIterable, Sendable {
        case dunes
        case mountains
        case sea
        case city
        case aurora
        case nebula
        case planet
        case plasma
        case cover
        case rings
    }

    /// Draws a picture.
    ///
    /// - Parameters:
    ///   - subject: What to draw.
    ///   - width: In pixels. `1...`
    ///   - height: In pixels. `1...`
    ///   - seed: Chooses among countless variants.
    ///   - phase: Where an animation is; only `plasma` and `rings` move. `0..<1`
    /// - Returns: An opaque bitmap.
    /// - Complexity: O(pixels), some 50 ns each.
    public static func draw(
        _ subject: Subject,
        width: Int,
        height: Int,
        seed: UInt32 = 1,
        phase: Float = 0
    ) -> Bitmap {
        let frame = SceneFrame(width: width, height: height, seed: seed, phase: phase)
        switch subject {
        case .dunes: return render(DunesScene(frame), frame)
        case .mountains: return render(MountainsScene(frame), frame)
        case .sea: return render(SeaScene(frame), frame)
        case .city: return render(CityScene(frame), frame)
        case .aurora: return render(AuroraScene(frame), frame)
        case .nebula: return render(NebulaScene(frame), frame)
        case .planet: return render(PlanetScene(frame), frame)
        case .plasma: return render(PlasmaScene(frame), frame)
        case .cover: return render(CoverScene(frame), frame)
        case .rings: return render(RingsScene(frame), frame)
        }
    }

    /// Draws the frames of an animation that can repeat for ever.
    public static func frames(
        _ subject: Subject,
        width: Int,
        height: Int,
        count: Int,
        seed: UInt32 = 1
    ) -> [Bitmap] {
        (0..<count).map { draw(subject, width: width, height: height, seed: seed, phase: Float($0) / Float(count)) }
    }

    /// Draws a tile of 256 × 256 pixels of a map, with its numbers in a corner.
    public static func tile(zoom: Int, column: Int, row: Int) -> Bitmap {
        let frame = SceneFrame(width: 256, height: 256, seed: 7, phase: 0)
        let tile = render(MapTile(zoom: zoom, column: column, row: row), frame)
        var pixels = tile.pixels
        DigitFont.write("\(zoom)/\(column)/\(row)", into: &pixels, width: 256, x: 8, y: 8, size: 2)
        return Bitmap(width: 256, height: 256, pixels: pixels)
    }

    private static func render(_ scene: some Scene, _ frame: SceneFrame) -> Bitmap {
        var pixels = [UInt8](repeating: 255, count: frame.width * frame.height * 4)
        var offset = 0
        for row in 0..<frame.height {
            let v = Float(row) / Float(frame.height)
            for column in 0..<frame.width {
                let color = scene.color(column: column, u: Float(column) / Float(frame.width), v: v)
                let limited = color.clamped(lowerBound: Color(repeating: 0), upperBound: Color(repeating: 255))
                pixels[offset] = UInt8(limited.x)
                pixels[offset + 1] = UInt8(limited.y)
                pixels[offset + 2] = UInt8(limited.z)
                offset += 4
            }
        }
        return Bitmap(width: frame.width, height: frame.height, pixels: pixels)
    }
}
