// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors where SLUICE_STRICT=1 is set; never for users with another compiler.
let isStrict = Context.environment["SLUICE_STRICT"] == "1"

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
    name: "sluice",
    products: [
        .executable(name: "sluice", targets: ["sluice"]),
        .executable(name: "sluice-bench", targets: ["sluice-bench"]),
        .library(
            name: "SluicePipeline",
            targets: ["SluiceCore", "SluicePipeline", "SluiceCurl", "SluiceImaging", "SluiceStore"]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
    ],
    targets: [
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CCodecs",
            providers: [.apt(["libgif-dev", "libpng-dev", "libturbojpeg0-dev", "libwebp-dev"])]
        ),
        .target(name: "CLinux"),
        .target(name: "SluiceCore", swiftSettings: settings),
        .target(name: "SluicePipeline", dependencies: ["CLinux", "SluiceCore"], swiftSettings: settings),
        .target(name: "SluiceCurl", dependencies: ["CCurl", "CLinux", "SluiceCore"], swiftSettings: settings),
        .target(name: "SluiceImaging", dependencies: ["CCodecs", "SluiceCore"], swiftSettings: settings),
        .target(name: "SluiceStore", dependencies: ["CLinux", "SluiceCore"], swiftSettings: settings),
        .target(name: "SluiceUI", dependencies: ["SluiceCore"], swiftSettings: settings),
        .target(
            name: "SluiceTerminal",
            dependencies: ["CLinux", "CNcurses", "SluiceCore", "SluiceUI"],
            swiftSettings: settings
        ),
        .target(name: "SluiceOrigin", dependencies: ["CCodecs", "CLinux", "SluiceCore"], swiftSettings: settings),
        .executableTarget(
            name: "sluice",
            dependencies: [
                "CLinux", "SluiceCore", "SluiceCurl", "SluiceImaging", "SluiceOrigin", "SluicePipeline", "SluiceStore",
                "SluiceTerminal", "SluiceUI",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "sluice-bench",
            dependencies: [
                "CLinux", "SluiceCore", "SluiceCurl", "SluiceImaging", "SluiceOrigin", "SluicePipeline",
                "SluiceTestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SluiceTestSupport",
            dependencies: ["CLinux", "SluiceCore"],
            path: "Tests/SluiceTestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceCoreTests",
            dependencies: ["SluiceCore", "SluiceTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluicePipelineTests",
            dependencies: [
                "CLinux", "SluiceCore", "SluiceCurl", "SluiceImaging", "SluiceOrigin", "SluicePipeline", "SluiceStore",
                "SluiceTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceCurlTests",
            dependencies: ["CLinux", "SluiceCore", "SluiceCurl", "SluiceOrigin", "SluiceTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceImagingTests",
            dependencies: ["SluiceCore", "SluiceImaging", "SluiceOrigin", "SluiceTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceOriginTests",
            dependencies: ["CLinux", "SluiceCore", "SluiceOrigin", "SluiceTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceStoreTests",
            dependencies: ["CLinux", "SluiceCore", "SluiceStore", "SluiceTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceUITests",
            dependencies: ["SluiceCore", "SluiceTestSupport", "SluiceUI"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "terminal-probe",
            dependencies: ["CLinux", "SluiceCore", "SluiceTerminal", "SluiceUI"],
            path: "Tests/TerminalProbe",
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceTerminalTests",
            dependencies: ["SluiceCore", "SluiceTerminal", "SluiceTestSupport", "SluiceUI", "terminal-probe"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceProgramTests",
            dependencies: ["SluiceCore", "SluiceOrigin", "SluiceTestSupport", "sluice"],
            swiftSettings: settings
        ),
    ]
)
