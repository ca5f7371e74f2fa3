import SluiceCore

@testable import SluiceUI

/// A picture that was never downloaded: a bright disc before a slope of grey, which signs show as well as colours.
enum FakePicture {
    static func picture(_ id: Int, _ width: Int = 64, _ height: Int = 48) -> Picture {
        let bitmap = bitmap(width, height)
        let image = DecodedImage(info: ImageInfo(format: .png, width: width, height: height), bitmap: bitmap)
        return Picture(id: id, of: image, proof: image)
    }

    static func bitmap(_ width: Int = 64, _ height: Int = 48) -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (right, down) = (x * 2 - width, y * 2 - height)
                let isInside = right * right + down * down < height * height / 4
                let grey = UInt8(isInside ? 250 : 200 * (x + y) / (width + height))
                pixels += [grey, grey, grey, 255]
            }
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }
}
