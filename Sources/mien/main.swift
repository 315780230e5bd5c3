import Glibc
import Programs

// GLib says what is wrong in the language of the locale, and takes names for text of its encoding.
setlocale(LC_ALL, "C.UTF-8")
Terminal.begin()
Interruption.listen()
do throws(Problem) {
  exit(Terminal.end(try Task.run()))
} catch {
  Terminal.complain(error.text)
  exit(Terminal.end(error.code))
}
