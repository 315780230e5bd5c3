// The outputs of networks in this build: for each model file a line with the bits of all numbers in
// hexadecimal, or an empty line where the file is rejected.
//
//   network-answers MODEL...

import Files
import Inference

/// The outputs for an input that tests use with networks of any size.
func outputs(_ path: String) -> [UInt32] {
  guard let graph = try? Graph(path: FilePath(path)) else { return [] }
  graph.fillInput { Float($0 * 7919 % 1000) / 500 - 1 }
  guard (try? graph.invoke()) != nil else { return [] }
  return graph.outputShapes.indices.flatMap { output in
    graph.withOutput(output) { numbers in numbers.indices.map { numbers[$0].bitPattern } }
  }
}

for path in CommandLine.arguments.dropFirst() {
  print(outputs(path).map { String($0, radix: 16) }.joined(separator: " "))
}
