// swift-tools-version: 6.2
import PackageDescription

let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]
// Tests run whole frames through some modules; unoptimised that takes ten times as long.
let optimised = SwiftSetting.unsafeFlags(["-O"], .when(configuration: .debug))
// GObject's C structs would need an `unsafe` on every line, so the element layer is fenced instead:
// it is the one place that may touch them.
let strict = common + [.strictMemorySafety(), optimised]

let package = Package(
  name: "gst-mien",
  products: [
    .library(name: "gstmien", type: .dynamic, targets: ["Elements", "CShim"]),
    .executable(name: "mien-bench", targets: ["mien-bench"]),
    .executable(name: "mien-pack-check", targets: ["mien-pack-check"]),
  ],
  targets: [
    .systemLibrary(name: "CGStreamer", pkgConfig: "gstreamer-video-1.0"),
    .systemLibrary(name: "CXNNPACK"),
    .systemLibrary(name: "CJSONGLib", pkgConfig: "json-glib-1.0"),
    .target(
      name: "CShim", dependencies: ["CGStreamer"], path: "CShim",
      exclude: ["exports.map", "level.h"],
      // As Swift's; Debian's valgrind cannot read the newer kind that clang writes by default.
      cSettings: [.unsafeFlags(["-gdwarf-4"])],
      linkerSettings: [
        .unsafeFlags(
          [
            "-static-stdlib", "-Xlinker",
            "--version-script=\(Context.packageDirectory)/CShim/exports.map",
          ],
          .when(configuration: .release))
      ]),
    .target(
      name: "Pixels", swiftSettings: strict,
      // Unoptimised code calls libm's sqrt.
      linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Inference", dependencies: ["CXNNPACK", "Pixels"], swiftSettings: strict),
    .target(name: "Vision", dependencies: ["Inference", "Pixels"], swiftSettings: strict),
    .target(name: "Effects", dependencies: ["Pixels"], swiftSettings: strict),
    .target(name: "Packs", dependencies: ["CJSONGLib", "Effects"], swiftSettings: strict),
    .executableTarget(
      name: "mien-pack-check", dependencies: ["Packs", "Effects"], swiftSettings: common),
    .target(name: "GstElement", dependencies: ["CGStreamer", "Pixels"], swiftSettings: common),
    .target(
      name: "Elements",
      dependencies: ["GstElement", "Effects", "Packs", "Vision", "Inference", "Pixels"],
      swiftSettings: common),
    .executableTarget(
      name: "mien-bench",
      // Support draws the scenes of which the truth is known, for tests and bench alike.
      dependencies: [
        "Elements", "GstElement", "Effects", "Vision", "Inference", "Pixels", "Support",
      ],
      swiftSettings: common),
    .target(
      name: "Support", dependencies: ["CGStreamer", "Pixels"], path: "Tests/Support",
      swiftSettings: common + [optimised]),
    .testTarget(
      name: "PixelsTests", dependencies: ["Pixels", "Support"], swiftSettings: common),
    .testTarget(
      name: "InferenceTests", dependencies: ["CXNNPACK", "Inference", "Support"],
      swiftSettings: common),
    .testTarget(
      name: "VisionTests", dependencies: ["Vision", "Inference", "Pixels", "Support"],
      swiftSettings: common),
    .testTarget(
      name: "EffectsTests",
      // Vision finds the real faces that the effects are tried on.
      dependencies: ["Effects", "Vision", "Inference", "Pixels", "Support"],
      swiftSettings: common),
    .testTarget(
      name: "PacksTests", dependencies: ["Packs", "Effects", "Support"], swiftSettings: common),
    .testTarget(
      name: "GstElementTests", dependencies: ["GstElement", "CGStreamer", "Pixels", "Support"],
      swiftSettings: common),
    .testTarget(
      name: "PluginTests",
      dependencies: ["Elements", "GstElement", "CGStreamer", "Pixels", "Support"],
      exclude: ["Inspected", "valgrind.supp"], swiftSettings: common),
  ])
