#if canImport(Glibc)
  import Glibc
#endif

/// Prints a line and flushes standard output.
package func log(_ text: String) {
  print("mien: " + text)
  fflush(nil)
}
