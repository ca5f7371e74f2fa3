internal import Glibc

/// A tile of a map of an invented country; neighbours fit each other.
struct MapTile: Scene {
    private static let water = rgb(0x8FBFE0)
    private static let land = rgb(0xE9E3D2)
    private static let wood = rgb(0xB9D7A2)

    /// Tiles from the corner of the map, and tiles that the whole map is wide.
    private let column: Int
    private let row: Int
    private let scale: Float
    private let noise = Noise(seed: 7)

    init(_ frame: SceneFrame) { self.init(zoom: 0, column: 0, row: 0) }

    init(zoom: Int, column: Int, row: Int) {
        (self.column, self.row) = (column, row)
        scale = Float(1 << min(max(zoom, 0), 20))
    }

    func color(column pixel: Int, u: Float, v: Float) -> Color {
        let (x, y) = ((Float(column) + u) / scale * 24, (Float(row) + v) / scale * 24)
        let height = noise.fractal(x * 0.55, y * 0.55, octaves: 5)
        if height < 0.42 { return mix(Self.water * 0.86, Self.water, height / 0.42) }
        if height < 0.433 { return rgb(0xD8CBA0) }
        var color = height > 0.56 ? mix(Self.wood, Self.wood * 0.9, (height - 0.56) * 6) : Self.land
        let river = abs(noise.fractal(x * 0.4 + 40, y * 0.4, octaves: 3) - 0.5)
        if river < 0.012 { color = Self.water }
        let road = abs(noise.fractal(x * 0.5, y * 0.5 + 80, octaves: 2) - 0.52)
        if road < 0.016 { color = road < 0.010 ? rgb(0xF8D48A) : rgb(0xC8A058) }
        let lane = abs(noise.fractal(x * 1.4 + 9, y * 1.4 + 30, octaves: 2) - 0.5)
        if lane < 0.014, road > 0.016 { color = [255, 255, 255] }
        return color
    }
}
