/// Why a program does not do what was asked.
package struct ProgramError: Error {
  /// The exit code of the process.
  package let code: Int32
  /// One line for the user: what failed and what to do next, without the program's name.
  package let text: String
  /// Whether the input is damaged, so that another attempt would end the same way.
  package let isDamage: Bool

  package init(code: Int32, text: String, isDamage: Bool = false) {
    self.code = code
    self.text = text
    self.isDamage = isDamage
  }

  /// The command line is wrong.
  package static func usage(_ text: String) -> ProgramError {
    ProgramError(code: ExitCode.usageError.rawValue, text: text)
  }

  /// The command line is right, and the operation fails.
  package static func failure(_ text: String) -> ProgramError {
    ProgramError(code: ExitCode.failure.rawValue, text: text)
  }

  /// The command line is right, and the input is damaged.
  package static func damaged(_ text: String) -> ProgramError {
    ProgramError(code: ExitCode.failure.rawValue, text: text, isDamage: true)
  }

  /// A signal ended the program; the exit code names the signal, as shells do.
  package static func interrupted(_ signal: Int32) -> ProgramError {
    ProgramError(code: 128 + signal, text: "it was stopped")
  }

  /// The same error with a file's name before its text.
  package func prefixed(by file: String) -> ProgramError {
    ProgramError(code: code, text: "\(file): \(text)", isDamage: isDamage)
  }
}

/// The command's exit codes, as its manual page lists them.
package enum ExitCode: Int32 {
  case success = 0
  /// The answer is no: an expectation does not hold, a pack is wrong, a batch is incomplete.
  case negative = 1
  /// The command line is wrong.
  case usageError = 2
  /// A file could not be read to its end, or not be written.
  case failure = 3
  /// Nothing was left to do for a batch, where that was asked.
  case doneBefore = 4
  /// Files of a batch are damaged, and all else is done.
  case damaged = 5
}
