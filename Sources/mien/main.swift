import Glibc
import Programs

// GLib translates its errors, and expects file names in the locale's encoding.
setlocale(LC_ALL, "C.UTF-8")
Terminal.reserveStandardStreams()
TerminationSignal.install()
do throws(ProgramError) {
  exit(Terminal.closeOutput(exitCode: try Subcommand.run()))
} catch {
  Terminal.warn(error.text)
  exit(Terminal.closeOutput(exitCode: error.code))
}
