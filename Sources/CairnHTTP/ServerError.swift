/// The reason why a server could not start.
package enum ServerError: Error, Sendable, Equatable {
  /// Another process listens on the port (EADDRINUSE).
  case addressInUse(host: String, port: Int)
  /// The process is not allowed to listen on a port this low (EACCES, EPERM).
  case permissionDenied(host: String, port: Int)
  /// The host is neither an IP address nor `localhost`, or the machine does not have the address.
  case addressNotAvailable(host: String)
  /// Any other error of the system. `reason` is its text.
  case cannotListen(reason: String)
  /// The I/O of this build of libmicrohttpd cannot be observed (see `Daemon.isObserved`).
  case libraryNotOverheard
  /// libmicrohttpd or the watchdog's thread did not start; the log has the reason.
  case libraryRefused
}
