#if canImport(Glibc)
  import Glibc
#endif

/// Prints a line at once.
package func say(_ text: String) {
  print("mien: " + text)
  fflush(nil)
}
