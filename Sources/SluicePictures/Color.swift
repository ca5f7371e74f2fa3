/// Red, green and blue. `0...255`
typealias Color = SIMD3<Float>

/// The colour of a hexadecimal number such as `0xFFE0A8`.
func rgb(_ hex: UInt32) -> Color { Color(Float(hex >> 16 & 255), Float(hex >> 8 & 255), Float(hex & 255)) }

func mix(_ from: Float, _ to: Float, _ part: Float) -> Float { from + (to - from) * part }

/// `part` of `to` in `from`, kept within both.
func mix(_ from: Color, _ to: Color, _ part: Float) -> Color { from + (to - from) * min(max(part, 0), 1) }

/// A colour of a gradient with evenly spaced stops; positions outside `0...1` take its ends.
func ramp(_ stops: [Color], _ position: Float) -> Color {
    let place = min(max(position, 0), 1) * Float(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    return mix(stops[index], stops[index + 1], place - Float(index))
}
