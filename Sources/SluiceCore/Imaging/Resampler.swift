/// Scales bitmaps by averaging the area that falls on each new pixel.
///
/// Averages light, not the numbers that stand for it, and weighs colours by their
/// opacity, so that fine patterns keep their brightness and what is transparent adds no
/// colour. Exact to the fraction of a pixel. Stateless: any number of threads may use it.
///
/// - SeeAlso: ``LightTable``
public enum Resampler {
    /// The largest size of the same shape that fits, never larger than the original and at least 1 × 1.
    public static func fit(width: Int, height: Int, into box: (width: Int, height: Int)) -> (width: Int, height: Int) {
        let (wide, high) = (max(1, box.width), max(1, box.height))
        guard width > wide || height > high else { return (width, height) }
        // Compared without a division: the shape that is wider than the box fills its width.
        if width * high >= height * wide {
            return (wide, max(1, min(high, (height * wide + width / 2) / width)))
        }
        return (max(1, min(wide, (width * high + height / 2) / height)), high)
    }

    /// Scales a bitmap down to fit; one that fits already is returned as it is.
    ///
    /// - Parameters:
    ///   - bitmap: Stays as it is.
    ///   - width: At most so wide. In pixels. `1...`
    ///   - height: At most so high. In pixels. `1...`
    /// - Returns: The smaller bitmap, of the same shape.
    public static func thumbnail(_ bitmap: Bitmap, width: Int, height: Int) -> Bitmap {
        let size = fit(width: bitmap.width, height: bitmap.height, into: (width, height))
        return scale(bitmap, width: size.width, height: size.height)
    }

    /// Scales every frame of an image down to fit; its ``DecodedImage/info`` still tells of the original.
    public static func thumbnail(_ image: DecodedImage, width: Int, height: Int) -> DecodedImage {
        let animation = image.animation.map { animation in
            var smaller = animation
            smaller.frames = animation.frames.map {
                Animation.Frame(bitmap: thumbnail($0.bitmap, width: width, height: height), delay: $0.delay)
            }
            return smaller
        }
        let bitmap = animation?.frames.first?.bitmap ?? thumbnail(image.bitmap, width: width, height: height)
        return DecodedImage(info: image.info, bitmap: bitmap, animation: animation)
    }

    /// Scales a bitmap to exactly this size, up or down, whatever its shape.
    ///
    /// - Complexity: O(pixels of the original), about 2 ns each.
    public static func scale(_ bitmap: Bitmap, width: Int, height: Int) -> Bitmap {
        precondition(width > 0 && height > 0, "a bitmap is scaled to at least one pixel")
        guard width != bitmap.width || height != bitmap.height else { return bitmap }
        let columns = Span.all(from: bitmap.width, to: width)
        let rows = Span.all(from: bitmap.height, to: height)
        var line = [UInt64](repeating: 0, count: width * 4)
        var sums = line
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        let total = UInt64(bitmap.width) * UInt64(bitmap.height)
        for row in rows {
            for index in sums.indices { sums[index] = 0 }
            for y in row.first...row.last {
                let weight = row.weight(of: y)
                guard weight > 0 else { continue }
                average(bitmap, y: y, columns, into: &line)
                for index in sums.indices { sums[index] &+= line[index] &* weight }
            }
            append(sums, total: total, to: &pixels)
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    /// The part of the original that falls on one new row or column.
    ///
    /// Lengths are in fractions of an original pixel, so many to a pixel as there are new ones: all sums are whole.
    private struct Span {
        var first: Int
        var last: Int
        var firstWeight: UInt64
        var lastWeight: UInt64
        /// Of a pixel that is covered whole.
        var full: UInt64

        static func all(from old: Int, to new: Int) -> [Span] {
            (0..<new).map { index in
                let (start, end) = (index * old, (index + 1) * old)
                let (first, last) = (start / new, (end - 1) / new)
                let firstWeight = first == last ? end - start : (first + 1) * new - start
                return Span(
                    first: first,
                    last: last,
                    firstWeight: UInt64(firstWeight),
                    lastWeight: first == last ? 0 : UInt64(end - last * new),
                    full: UInt64(new)
                )
            }
        }

        func weight(of index: Int) -> UInt64 {
            index == first ? firstWeight : index == last ? lastWeight : full
        }
    }

    /// Sums the light of one row under each new column.
    private static func average(_ bitmap: Bitmap, y: Int, _ columns: [Span], into line: inout [UInt64]) {
        unsafe bitmap.pixels.withUnsafeBytes { bytes in
            unsafe LightTable.linear.withUnsafeBufferPointer { table in
                unsafe line.withUnsafeMutableBufferPointer { line in
                    let row = unsafe UnsafeRawBufferPointer(rebasing: bytes[(y * bitmap.width * 4)...])
                    for (index, column) in columns.enumerated() {
                        var sum = unsafe light(row, column.first, table) &* column.firstWeight
                        if column.last > column.first + 1 {
                            let inner = unsafe innerLight(row, column.first + 1..<column.last, table)
                            sum &+= inner &* column.full
                        }
                        if column.lastWeight > 0 {
                            unsafe sum &+= light(row, column.last, table) &* column.lastWeight
                        }
                        for channel in 0..<4 { unsafe line[index * 4 + channel] = sum[channel] }
                    }
                }
            }
        }
    }

    /// One pixel in linear light, its colours weighed by its opacity.
    private static func light(
        _ row: UnsafeRawBufferPointer,
        _ x: Int,
        _ table: UnsafeBufferPointer<UInt32>
    ) -> SIMD4<UInt64> {
        let alpha = unsafe UInt32(row[x * 4 + 3])
        func channel(_ offset: Int) -> UInt64 {
            let light = unsafe table[Int(row[x * 4 + offset])]
            return UInt64(light &* alpha)
        }
        return SIMD4(channel(0), channel(1), channel(2), UInt64(alpha))
    }

    /// The sum of pixels that are covered whole: where nearly all time goes.
    private static func innerLight(
        _ row: UnsafeRawBufferPointer,
        _ range: Range<Int>,
        _ table: UnsafeBufferPointer<UInt32>
    ) -> SIMD4<UInt64> {
        // What is opaque is weighed at the end, not pixel by pixel.
        var (red, green, blue, alpha) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        var translucent = SIMD4<UInt64>.zero
        guard let base = row.baseAddress, let lights = table.baseAddress else { return .zero }
        for x in range {
            let pixel = unsafe base.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self).littleEndian
            let opacity = UInt64(pixel >> 24)
            let r = unsafe UInt64(lights[Int(pixel & 0xFF)])
            let g = unsafe UInt64(lights[Int(pixel >> 8 & 0xFF)])
            let b = unsafe UInt64(lights[Int(pixel >> 16 & 0xFF)])
            if opacity == 255 {
                red &+= r
                green &+= g
                blue &+= b
                alpha &+= 1
            } else {
                translucent &+= SIMD4(r &* opacity, g &* opacity, b &* opacity, opacity)
            }
        }
        return SIMD4(red, green, blue, alpha) &* 255 &+ translucent
    }

    private static func append(_ sums: [UInt64], total: UInt64, to pixels: inout [UInt8]) {
        for start in stride(from: 0, to: sums.count, by: 4) {
            let alpha = sums[start + 3]
            guard alpha > 0 else {
                pixels.append(contentsOf: [0, 0, 0, 0])
                continue
            }
            for channel in start..<start + 3 {
                // The light of what is opaque, out of 65,535.
                let light = (sums[channel] + alpha / 2) / alpha
                pixels.append(LightTable.encoded[Int(min(65_535, light))])
            }
            pixels.append(UInt8((alpha + total / 2) / total))
        }
    }
}
