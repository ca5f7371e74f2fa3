import SluiceCore
import Testing

@testable import SluiceUI

/// What the prompt says of a setting while its value is typed.
struct SettingHintTests {
    @Test(arguments: [
        ("cachePreferred", "0 means that a purge leaves nothing"), ("cacheCapacity", "0 means no limit"),
        ("httpCapacity", "0 means no limit"), ("httpMemory", "0 means no limit"), ("limitRate", "0 means no limit"),
        ("maxFileSize", "0 means no limit"), ("timeout", "0 means no limit"), ("maxRetryAfter", "0 means no limit"),
        ("maxPerHost", "0 means no limit"), ("connectTimeout", "0 means the default, 15 s"),
        ("failedFor", "0 means that none is remembered"),
    ])
    func whatZeroDoesIsToldAsItIs(name: String, words: String) {
        for command in [":\(name) 0", ":set \(name) 0"] {
            var driver = Driver(.full, 200, 50)
            _ = driver.press(command)
            #expect(driver.text.contains("; \(words)"), "\(driver.text)")
        }
    }

    /// A number that is one like others has no sense of its own.
    @Test(arguments: ["retries", "maxActive", "activationDelay", "completionDelay", "maxPixels", "suspended"])
    func whereZeroIsOneOfManyNothingIsTold(name: String) {
        #expect(SettingText.allowed(name) == Settings.allowed(name))
        #expect(SettingText.allowed(name)?.contains("0 means") == false)
    }

    @Test func everySettingSaysWhatItAllows() {
        for name in Settings.names { #expect(SettingText.allowed(name)?.isEmpty == false, "\(name)") }
        #expect(SettingText.allowed("nonsense") == nil)
    }
}
