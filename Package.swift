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
// Operations of vectors are in files of their own; as calls they would take twenty times as long.
let whole = SwiftSetting.unsafeFlags(
  // SwiftPM asks for batches in debug builds; the compiler warns that whole modules have none.
  ["-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"],
  .when(configuration: .debug))
// As Swift's; Debian's valgrind cannot read the newer kind that clang writes by default.
let debugInformation = CSetting.unsafeFlags(["-gdwarf-4"])
// What is installed has its tables of addresses written once, when it is loaded, and read-only from
// then on. Swift has constants in sections that may be written, among which GNU's linker does not
// find room for that; Swift's own linker does. It also folds functions of equal code, which generic ones of
// the standard library are in great number, and packs the addresses (which glibc reads from 2.36 on).
let hardened = [
  "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now",
  "-Xlinker", "--icf=all", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
]
// GObject's C structs would need an `unsafe` on every line, so the element layer is fenced instead:
// it is the one place that may touch them.
let strict = common + [.strictMemorySafety(), optimised]
let tests = common + [optimised]

let package = Package(
  name: "gst-mien",
  products: [
    .library(name: "mien", type: .dynamic, targets: ["Library"]),
    .executable(name: "mien-bench", targets: ["mien-bench"]),
    // Installed as "mien", which is the library's name here.
    .executable(name: "mien-command", targets: ["mien-command"]),
    .executable(name: "mien-fuzz", targets: ["mien-fuzz"]),
    .executable(name: "mien-stress", targets: ["mien-stress"]),
    // For tests: networks in the builds for newer processors.
    .executable(name: "network-answers", targets: ["network-answers"]),
    // For tests: preloaded into gst-launch, and into the command.
    .library(name: "allocation-counter", type: .dynamic, targets: ["AllocationCounter"]),
    .library(name: "fault-injection", type: .dynamic, targets: ["FaultInjection"]),
    // A plugin for tests: cameras and a loudspeaker.
    .library(name: "devices", type: .dynamic, targets: ["Devices"]),
  ],
  targets: [
    .systemLibrary(name: "CGStreamer", pkgConfig: "gstreamer-video-1.0"),
    .target(name: "CThreads", cSettings: [debugInformation]),
    .systemLibrary(name: "CJSONGLib", pkgConfig: "json-glib-1.0"),
    .systemLibrary(name: "CGstApp", pkgConfig: "gstreamer-app-1.0"),
    .target(
      name: "Pixels", swiftSettings: strict,
      // Unoptimised code calls libm's sqrt.
      linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Filters", dependencies: ["Pixels", "Threads"], swiftSettings: strict),
    .target(name: "Files", swiftSettings: strict),
    .target(name: "JSON", dependencies: ["CJSONGLib"], swiftSettings: strict),
    .target(name: "Threads", dependencies: ["CThreads"], swiftSettings: strict),
    .target(
      name: "Inference", dependencies: ["Files", "Threads"], swiftSettings: strict + [whole]),
    .target(name: "Faces", dependencies: ["Pixels"], swiftSettings: strict),
    .target(
      name: "Occlusion", dependencies: ["Faces", "Filters", "Pixels", "Threads"],
      // Operations of vectors between its files; as calls they would take twenty times as long.
      swiftSettings: strict + [whole]),
    .target(
      name: "Vision",
      dependencies: ["Files", "Inference", "Faces", "Filters", "Occlusion", "Pixels", "Threads"],
      swiftSettings: strict),
    .target(
      name: "Compose", dependencies: ["Filters", "Pixels", "Threads"], swiftSettings: strict),
    .target(
      name: "ScreenKey", dependencies: ["Compose", "Pixels", "Threads"], swiftSettings: strict),
    .target(
      name: "PersonKey", dependencies: ["Compose", "Filters", "Pixels", "Threads"],
      swiftSettings: strict),
    .target(
      name: "Retouch", dependencies: ["Faces", "Filters", "Pixels", "Threads"],
      swiftSettings: strict),
    .target(
      name: "Looks", dependencies: ["Faces", "Files", "Filters", "Pixels", "Threads"],
      swiftSettings: strict),
    .target(name: "Hiding", dependencies: ["Faces", "Filters", "Pixels"], swiftSettings: strict),
    .target(
      name: "Reshaping", dependencies: ["Faces", "Pixels", "Threads"],
      // Operations of vectors between its files; as calls they would take twenty times as long.
      swiftSettings: strict + [whole]),
    .target(
      name: "Stickers", dependencies: ["Faces", "Files", "JSON", "Pixels", "Threads"],
      swiftSettings: strict),
    .target(name: "Puppets", dependencies: ["Faces", "Pixels"], swiftSettings: strict),
    .target(
      name: "Client", dependencies: ["CGStreamer", "CJSONGLib", "Files"], swiftSettings: common),
    .target(name: "Effects", dependencies: ["Client", "Files"], swiftSettings: common),
    .target(
      name: "Programs",
      dependencies: [
        "CGStreamer", "CGstApp", "CJSONGLib", "Client", "Faces", "Files", "JSON", "Pixels",
        "Puppets",
      ],
      swiftSettings: common),
    .executableTarget(
      name: "mien-command",
      dependencies: [
        "CGStreamer", "CGstApp", "CJSONGLib", "Client", "Decoding", "Effects", "Faces", "Files",
        "Frames", "JSON", "Pixels", "Programs", "Puppets", "Stickers",
      ],
      path: "Sources/mien", swiftSettings: common,
      linkerSettings: [
        .unsafeFlags(["-static-stdlib"] + hardened, .when(configuration: .release))
      ]),
    .target(name: "Studio", dependencies: ["Files"], swiftSettings: strict),
    .target(name: "Frames", dependencies: ["CGStreamer", "Pixels"], swiftSettings: common),
    .target(
      name: "Binding", dependencies: ["CGStreamer", "Files", "Frames", "Pixels"],
      swiftSettings: common),
    .target(name: "Analytics", dependencies: ["CGStreamer", "Frames"], swiftSettings: strict),
    .target(
      name: "Metadata", dependencies: ["Analytics", "CGStreamer", "Faces", "Frames", "Pixels"],
      swiftSettings: strict),
    .target(
      name: "Decoding",
      dependencies: ["CGStreamer", "Client", "Files", "Frames", "Pixels", "Threads"],
      swiftSettings: common),
    .target(
      name: "Backdrops",
      dependencies: ["Binding", "Compose", "Decoding", "Files", "Frames", "Pixels", "Threads"],
      swiftSettings: common),
    .target(
      name: "Elements",
      dependencies: [
        "Backdrops", "Binding", "CGStreamer", "Client", "Compose", "Decoding", "Effects", "Filters",
        "Frames", "Metadata", "Files", "Hiding", "Looks", "PersonKey", "Reshaping", "Retouch",
        "ScreenKey", "Stickers", "Vision", "Inference", "Faces", "Pixels", "Threads",
      ],
      swiftSettings: common),
    .target(
      name: "Library", dependencies: ["Binding", "CGStreamer", "Elements"],
      exclude: ["exports.map"],
      swiftSettings: common,
      // Nothing but the library is linked with this target, so nothing else gets these: the Swift
      // runtime inside, and one symbol outside.
      linkerSettings: [
        .unsafeFlags(
          [
            "-static-stdlib", "-Xlinker",
            "--version-script=\(Context.packageDirectory)/Sources/Library/exports.map",
          ] + hardened,
          .when(configuration: .release))
      ]),
    // A development program, as mien-fuzz and mien-stress: it draws the scenes of which the truth is known
    // with the code that the tests use, and nothing in Sources depends on either.
    .executableTarget(
      name: "mien-bench",
      dependencies: [
        "CGStreamer", "Compose", "Faces", "Files", "Hiding", "Inference", "Looks", "Occlusion",
        "PersonKey",
        "Pixels", "Reshaping", "Retouch", "ScreenKey", "Stickers", "Support", "Threads", "Vision",
        "XNNPACKReference",
      ],
      path: "Tests/Bench", swiftSettings: common),
    .target(
      name: "Support",
      dependencies: [
        "CGStreamer", "Client", "Faces", "Files", "Inference", "Pixels", "Threads", "Vision",
      ],
      path: "Tests/Support", exclude: ["People/cutout.png"],
      // Loops over all pixels of a picture are generic, and in a file of their own.
      swiftSettings: tests + [whole]),
    // What runs networks beside the engine, to compare with: nothing that is shipped uses it.
    .systemLibrary(name: "CXNNPACK", path: "Tests/CXNNPACK"),
    .target(
      name: "XNNPACKReference", dependencies: ["CXNNPACK", "Inference", "Threads"],
      path: "Tests/XNNPACKReference", swiftSettings: strict),
    .executableTarget(
      name: "network-answers", dependencies: ["Files", "Inference"], path: "Tests/NetworkAnswers",
      swiftSettings: tests),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(
      name: "FaultInjection", dependencies: ["CGStreamer"], path: "Tests/FaultInjection",
      cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "Devices", dependencies: ["CGStreamer"], path: "Tests/Devices"),
    .target(name: "CHarness", path: "Tests/CHarness", cSettings: [debugInformation]),
    .target(
      name: "Harness",
      dependencies: ["CGStreamer", "CHarness", "Elements", "Support", "Threads"],
      path: "Tests/Harness", swiftSettings: tests),
    .executableTarget(
      name: "mien-fuzz",
      dependencies: [
        "CGStreamer", "CHarness", "Client", "Harness", "Inference", "Looks", "Programs", "Support",
        "XNNPACKReference",
      ],
      path: "Tests/Fuzz", exclude: ["corpus"], swiftSettings: tests),
    .executableTarget(
      name: "mien-stress", dependencies: ["CGStreamer", "CHarness", "Harness", "Support"],
      path: "Tests/Stress", swiftSettings: tests),
    .testTarget(
      name: "PixelsTests", dependencies: ["Pixels", "Support"], swiftSettings: tests),
    .testTarget(
      name: "FiltersTests", dependencies: ["Filters", "Pixels", "Support", "Threads"],
      swiftSettings: tests),
    .testTarget(name: "FilesTests", dependencies: ["Files", "Support"], swiftSettings: tests),
    .testTarget(
      name: "FacesTests", dependencies: ["Faces", "Pixels", "Support"], swiftSettings: tests),
    .testTarget(
      name: "ThreadsTests", dependencies: ["Threads", "Support"], swiftSettings: tests),
    .testTarget(
      name: "InferenceTests",
      dependencies: ["Files", "Inference", "Support", "Threads", "XNNPACKReference"],
      swiftSettings: tests),
    .testTarget(
      name: "VisionTests",
      dependencies: [
        "Vision", "Filters", "Inference", "Faces", "Files", "Pixels", "Threads", "Support",
        "XNNPACKReference",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "OcclusionTests",
      // Vision finds the real faces that something is moved over.
      dependencies: ["Occlusion", "Vision", "Inference", "Faces", "Files", "Pixels", "Support"],
      swiftSettings: tests),
    .testTarget(
      name: "KeyingTests",
      dependencies: ["Compose", "PersonKey", "Pixels", "ScreenKey", "Threads", "Support"],
      swiftSettings: tests),
    .testTarget(
      name: "HidingTests", dependencies: ["Hiding", "Faces", "Pixels", "Support"],
      swiftSettings: tests),
    .testTarget(
      name: "ReshapingTests",
      // Vision finds the real faces that are reshaped, and finds them again.
      dependencies: [
        "Reshaping", "Vision", "Inference", "Faces", "Files", "Pixels", "Threads", "Support",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "LooksTests",
      dependencies: ["Looks", "Faces", "Files", "Pixels", "Threads", "Support"],
      swiftSettings: tests),
    .testTarget(
      name: "PeopleTests",
      // What finds people and what keys them, together.
      dependencies: [
        "Compose", "PersonKey", "Vision", "Inference", "Files", "Pixels", "Threads", "Support",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "RetouchTests",
      // Vision finds the real faces that the retouching is tried on.
      dependencies: [
        "Retouch", "Vision", "Inference", "Faces", "Files", "Pixels", "Threads", "Support",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "StickersTests",
      dependencies: [
        "Stickers", "Vision", "Inference", "Faces", "Files", "Pixels", "Threads", "Support",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "PuppetsTests", dependencies: ["Faces", "Pixels", "Puppets"], swiftSettings: tests),
    .testTarget(
      name: "BenchTests", dependencies: ["Faces", "Pixels", "Support", "Vision", "mien-bench"],
      swiftSettings: tests),
    .testTarget(name: "StudioTests", dependencies: ["Files", "Studio"], swiftSettings: tests),
    .testTarget(
      name: "GstTests",
      dependencies: [
        "Binding", "CGStreamer", "Decoding", "Faces", "Files", "Frames", "Metadata", "Pixels",
        "Programs", "Support", "Threads",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "PluginTests",
      dependencies: [
        "CGStreamer", "Client", "Decoding", "Elements", "Faces", "Files", "Frames", "Harness",
        "Metadata", "Pixels", "Programs", "Puppets", "Support", "Threads",
      ],
      exclude: [
        "Inspected", "camera/browser.sh", "camera/consumers.sh", "camera/page.html",
        "camera/serve.py", "camera/session.sh", "studio/accessibility.py",
        "studio/accessibility.sh", "studio/devices.sh", "studio/drive.sh",
        "studio/late.sh",
        "studio/monkey.sh", "studio/recordings.sh", "studio/screen.sh", "studio/wheel.sh",
        "valgrind.supp",
      ], swiftSettings: tests),
  ])

// The window alone needs GTK. With STUDIO=no in the environment, as the Makefile sets it for the rest,
// SwiftPM does not ask pkg-config for it.
if Context.environment["STUDIO"] != "no" {
  package.products.append(.executable(name: "mien-studio", targets: ["mien-studio"]))
  package.targets += [
    .systemLibrary(name: "CGTK4", pkgConfig: "gtk4"),
    .executableTarget(
      name: "mien-studio",
      dependencies: [
        "CGStreamer", "CGstApp", "CGTK4", "CJSONGLib", "Client", "Files", "Frames", "Programs",
        "Puppets", "Studio",
      ],
      swiftSettings: common,
      linkerSettings: [
        .unsafeFlags(["-static-stdlib"] + hardened, .when(configuration: .release))
      ]),
  ]
}
