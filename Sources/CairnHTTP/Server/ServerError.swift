/// The reason why a server could not start.
package enum ServerError: Error, Sendable, Equatable {
  /// Another socket is bound to this address and port (EADDRINUSE).
  case addressInUse(host: String, port: Int)
  /// The process may not bind this port, usually because its number is low (EACCES, EPERM).
  case permissionDenied(host: String, port: Int)
  /// The host is neither an address literal nor `localhost`, or this machine does not have the address.
  case addressNotAvailable(host: String)
  /// Another error of the system; `reason` is its text.
  case cannotListen(reason: String)
  /// The I/O of this build of libmicrohttpd cannot be observed (see `Daemon.isObserved`).
  case libraryNotObserved
  /// libmicrohttpd or a connection thread did not start, or no file descriptor was free. libmicrohttpd logs its own reasons.
  case libraryRefused
}
