/// Why a server could not start.
package enum ServerError: Error, Sendable, Equatable {
  /// Someone listens there already (EADDRINUSE).
  case addressInUse(host: String, port: Int)
  /// A low port without the right to it (EACCES, EPERM).
  case permissionDenied(host: String, port: Int)
  /// Neither an address literal nor `localhost`, or an address that this machine does not have.
  case addressNotAvailable(host: String)
  /// Any other refusal by the system; `reason` is its text.
  case cannotListen(reason: String)
  /// This build of libmicrohttpd keeps its own answers to itself (see `Daemon.isObserved`).
  case libraryNotOverheard
  /// libmicrohttpd or the watchdog's thread did not start; the log says more.
  case libraryRefused
}
