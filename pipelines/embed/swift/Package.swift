// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "faces",
  targets: [
    .systemLibrary(name: "CGst", pkgConfig: "gstreamer-1.0"),
    .executableTarget(name: "faces", dependencies: ["CGst"]),
  ])
