import Glibc
import Programs

var exitCode: Int32
do throws(Problem) {
  exitCode = try Application.run()
} catch {
  Terminal.complain(error.text)
  exitCode = error.code
}
exit(exitCode)
