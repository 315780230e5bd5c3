// What networks answer in the build that this is: for each model file a line with all numbers of its
// outputs, their bits in hexadecimal, or one without any where it is refused.
//
//   network-answers MODEL...

import Files
import Inference

/// Numbers as tests give them to networks of any size.
func answers(_ path: String) -> [UInt32] {
  guard let graph = try? Graph(path: FilePath(path)) else { return [] }
  graph.fill { Float($0 * 7919 % 1000) / 500 - 1 }
  guard (try? graph.invoke()) != nil else { return [] }
  return graph.outputShapes.indices.flatMap { output in
    graph.withOutput(output) { numbers in numbers.indices.map { numbers[$0].bitPattern } }
  }
}

for path in CommandLine.arguments.dropFirst() {
  print(answers(path).map { String($0, radix: 16) }.joined(separator: " "))
}
