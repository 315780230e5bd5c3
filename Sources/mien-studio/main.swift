import Glibc
import Programs

Terminal.reserveStandardStreams()
var exitCode: Int32
do throws(ProgramError) {
  exitCode = try Application.run()
} catch {
  Terminal.warn(error.text)
  exitCode = error.code
}
exit(Terminal.closeOutput(exitCode: exitCode))
