// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors where SLUICE_STRICT=1 is set; never for users with another compiler. What is built to be checked
// has no debugger either, and compiles in two thirds of the time without what that needs.
let isStrict = Context.environment["SLUICE_STRICT"] == "1"

// What has no threads is left out where SLUICE_THREADS=1 is set, for ThreadSanitizer, under which all takes long.
let hasPureTests = Context.environment["SLUICE_THREADS"] != "1"

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ] + (isStrict ? [.treatAllWarnings(as: .error), .unsafeFlags(["-gnone"], .when(configuration: .debug))] : [])

/// Drawing by the pixel takes minutes where nothing is inlined: optimized in debug builds too.
let optimized = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Types of the command line are made by the code that needs them: found by their names, each would be looked for in a
/// table of all that conforms to anything, which takes a start 0.6 ms.
let withDirectTypes =
    settings + [
        .unsafeFlags(
            ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"],
            .when(configuration: .release)
        )
    ]

/// The program carries its runtime, that of C++ too, and what libraries curl does not load anyway: it starts quicker, and
/// runs on machines without a toolchain.
let selfContained: [LinkerSetting] = [
    .unsafeFlags(["-static-stdlib", "-Xlinker", "--gc-sections"], .when(configuration: .release)),
    // Linker scripts there make archives of `-lstdc++`, `-lsqlite3` and others: no start has to load them, and to bind
    // their symbols. They are found first as long as no target names a folder of the system's.
    .unsafeFlags(
        ["-L", Context.packageDirectory + "/assets/link", "-Xclang-linker", "-static-libgcc"],
        .when(configuration: .release)
    ),
    .linkedLibrary("_FoundationCShims", .when(configuration: .release)),
    .linkedLibrary("_FoundationCollections", .when(configuration: .release)),
]

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
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CCodecs",
            providers: [.apt(["libavif-dev", "libgif-dev", "libpng-dev", "libturbojpeg0-dev", "libwebp-dev"])]
        ),
        .systemLibrary(
            name: "CCompression",
            providers: [.apt(["libbrotli-dev", "libzstd-dev", "zlib1g-dev"])]
        ),
        .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CLinux"),
        .target(name: "SluiceCore", swiftSettings: settings),
        .target(name: "SluiceSystem", dependencies: ["CLinux", "SluiceCore"], swiftSettings: settings),
        .target(
            name: "SluicePipeline",
            dependencies: ["CLinux", "SluiceCore", "SluiceSystem"],
            swiftSettings: settings
        ),
        .target(
            name: "SluiceCurl",
            dependencies: ["CCompression", "CCurl", "CLinux", "COpenSSL", "SluiceCore", "SluiceSystem"],
            swiftSettings: settings
        ),
        .target(name: "SluiceImaging", dependencies: ["CCodecs", "SluiceCore"], swiftSettings: settings),
        .target(
            name: "SluiceStore",
            dependencies: ["CLinux", "CSQLite", "SluiceCore", "SluiceSystem"],
            swiftSettings: settings
        ),
        .target(
            name: "SluiceControl",
            dependencies: ["CLinux", "SluiceCore", "SluiceSystem"],
            swiftSettings: settings
        ),
        .target(name: "SluiceUI", dependencies: ["SluiceCore"], swiftSettings: settings),
        .target(
            name: "SluiceTerminal",
            dependencies: ["CLinux", "CNcurses", "SluiceCore", "SluiceSystem", "SluiceUI"],
            swiftSettings: settings
        ),
        .target(name: "SluicePictures", dependencies: ["CCodecs", "SluiceCore"], swiftSettings: optimized),
        .target(
            name: "SluiceOrigin",
            dependencies: ["CLinux", "SluiceCore", "SluicePictures", "SluiceSystem"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "sluice",
            dependencies: [
                "CLinux", "SluiceControl", "SluiceCore", "SluiceCurl", "SluiceImaging", "SluiceOrigin",
                "SluicePipeline", "SluiceStore", "SluiceSystem", "SluiceTerminal", "SluiceUI",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: withDirectTypes,
            linkerSettings: selfContained
        ),
        .executableTarget(
            name: "sluice-bench",
            dependencies: [
                "CLinux", "SluiceCore", "SluiceCurl", "SluiceImaging", "SluiceOrigin", "SluicePictures",
                "SluicePipeline", "SluiceStore", "SluiceSystem", "SluiceTestSupport", "SluiceTestTLS",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "SluiceTestSupport",
            dependencies: ["CLinux", "SluiceCore", "SluiceOrigin", "SluiceSystem"],
            path: "Tests/SluiceTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "SluiceTestTLS",
            dependencies: ["CLinux", "COpenSSL", "SluiceCore", "SluiceSystem"],
            path: "Tests/SluiceTestTLS",
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
                "CLinux", "SluiceCore", "SluiceCurl", "SluiceImaging", "SluiceOrigin", "SluicePictures",
                "SluicePipeline", "SluiceStore", "SluiceSystem", "SluiceTestSupport", "SluiceTestTLS",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceCurlTests",
            dependencies: [
                "CCurl", "CLinux", "SluiceCore", "SluiceCurl", "SluiceOrigin", "SluiceSystem", "SluiceTestSupport",
                "SluiceTestTLS",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceImagingTests",
            dependencies: ["SluiceCore", "SluiceImaging", "SluiceOrigin", "SluicePictures", "SluiceTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceOriginTests",
            dependencies: ["CLinux", "SluiceCore", "SluiceOrigin", "SluicePictures", "SluiceTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceStoreTests",
            dependencies: ["CLinux", "SluiceCore", "SluiceStore", "SluiceSystem", "SluiceTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceSystemTests",
            dependencies: ["CLinux", "SluiceCore", "SluiceSystem", "SluiceTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SluiceUITests",
            dependencies: ["SluiceCore", "SluiceTestSupport", "SluiceUI"],
            exclude: ["Golden"],
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
            dependencies: [
                "SluiceCore", "SluiceOrigin", "SluicePictures", "SluiceSystem", "SluiceTestSupport", "SluiceTestTLS",
                "sluice",
            ],
            exclude: ["Golden"],
            swiftSettings: settings
        ),
    ]
)

if !hasPureTests {
    let pure: Set = ["SluiceCoreTests", "SluiceImagingTests", "SluiceUITests"]
    package.targets.removeAll { pure.contains($0.name) }
}
