/// Why the command does not do what was asked, in one line for the user.
package struct Problem: Error {
  /// The exit code that the command ends with because of it.
  package let code: Int32
  /// What went wrong, and what to do next; without the command's name.
  package let text: String

  /// Ends with this code, and says this.
  package init(code: Int32, text: String) {
    self.code = code
    self.text = text
  }

  /// The words on the command line are wrong.
  package static func use(_ text: String) -> Problem {
    Problem(code: Ending.wrongUse.rawValue, text: text)
  }

  /// The words are right, and it cannot be done.
  package static func failure(_ text: String) -> Problem {
    Problem(code: Ending.failed.rawValue, text: text)
  }

  /// A signal ended it; shells know by the code which one.
  package static func interrupted(_ signal: Int32) -> Problem {
    Problem(code: 128 + signal, text: "it was stopped")
  }

  /// The same about a file.
  package func of(_ file: String) -> Problem { Problem(code: code, text: "\(file): \(text)") }
}

/// The command's exit codes, as its manual page lists them.
package enum Ending: Int32 {
  /// All that was asked for is done.
  case done = 0
  /// The answer is no: an expectation does not hold, a pack is wrong, not all of a batch is done.
  case no = 1
  /// The words on the command line are wrong.
  case wrongUse = 2
  /// A file could not be read to its end, or written.
  case failed = 3
}
