/// A picture as a function of the place.
protocol Scene {
    init(_ frame: SceneFrame)
    /// - Parameters:
    ///   - column: In pixels.
    ///   - u: From left to right. `0..<1`
    ///   - v: From top to bottom. `0..<1`
    /// - Returns: Values outside of `0...255` are cut.
    func color(column: Int, u: Float, v: Float) -> Color
}

/// What a scene is drawn into.
struct SceneFrame {
    var width: Int
    var height: Int
    var seed: UInt32
    /// Where an animation is. `0..<1`
    var phase: Float

    var aspect: Float { Float(width) / Float(height) }
    var noise: Noise { Noise(seed: seed) }

    /// A choice that depends on the seed only. `0...1`
    func choice(_ index: Int) -> Float { noise.value(Float(index * 31), 99) }

    /// A value for every column, worked out once.
    func columns(_ value: (Float) -> Float) -> [Float] { (0..<width).map { value(Float($0) / Float(width)) } }
}
