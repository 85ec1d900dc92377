import Glibc

/// The three descriptors that every process is expected to have.
package enum StandardStreams {
  /// Puts `/dev/null` where one of them was closed by whoever started the process: the next file that is opened would take its number, and
  /// lines meant for a terminal would be written into that file. Call it first in main, before anything opens a file.
  package static func fill() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is taken, and those below are in use by now. Where there is no /dev/null, nothing can be done.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
