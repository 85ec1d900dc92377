#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The standard streams of the process: descriptors 0, 1 and 2.
package enum StandardStreams {
  /// Opens `/dev/null` for each standard stream that the parent process has closed. Otherwise the next opened file would get the stream's
  /// number, and output for a terminal would be written into that file. Must be called first in main, before any file is opened.
  package static func fill() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // open(2) returns the lowest free number, and all lower numbers are already in use. If /dev/null does not exist, the stream stays
      // closed.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
