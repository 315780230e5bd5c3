import Glibc
import Programs

Terminal.begin()
var exitCode: Int32
do throws(Problem) {
  exitCode = try Application.run()
} catch {
  Terminal.complain(error.text)
  exitCode = error.code
}
exit(Terminal.end(exitCode))
