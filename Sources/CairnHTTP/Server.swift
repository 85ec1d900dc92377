import CairnRuntime
import Glibc

/// HTTP/1.1 on one port. Listens from `init` on; `stopAccepting()` and then `stop()` end it, in that order.
///
/// What reaches `handler` is framed unambiguously and decoded; everything else is answered with what `fault` makes of it,
/// and its connection closed. Heads that libmicrohttpd cannot parse at all get its own short answer, and are closed too.
package final class Server: Sendable {
  /// Counts of this moment, for metrics.
  package struct Counts: Sendable, Equatable {
    /// Connections open now.
    package let connections: Int
    /// Requests waiting for their responder now.
    package let suspended: Int
    /// Connections cut off so far since their client was too slow.
    package let cut: Int
  }

  private enum State {
    case running(Daemon, Watchdog, Int32)
    case draining(Daemon, Watchdog, Int32)
    case stopped
  }

  /// The port that is listened on, also when 0 was asked for.
  package let port: Int
  private let core: Core
  private let state: Lock<State>

  /// Listens on an address literal or `localhost`. `fault` and `handler` run on the `threads` connection threads and must not block;
  /// `log` gets one line at a time, on any thread.
  package init(
    host: String, port: Int, limits: Limits = Limits(), threads: Int = 1,
    fault: @escaping @Sendable (Fault, Request?) -> Response = { fault, _ in Response(status: fault.status) },
    log: @escaping @Sendable (String) -> Void = { _ in },
    handler: @escaping Handler
  ) throws(ServerError) {
    let core = Core(limits: limits, fault: fault, log: log, handler: handler)
    let socket = try ListeningSocket(host: host, port: port)
    do {
      let watchdog = try Watchdog(core)
      do throws(ServerError) {
        state = Lock(.running(try Daemon(core, socket: socket, threads: threads), watchdog, socket.descriptor))
      } catch {
        watchdog.stop()
        throw error
      }
    } catch {
      close(socket.descriptor)
      throw .libraryRefused
    }
    self.core = core
    self.port = socket.port
  }

  deinit { stop() }

  /// The version of libmicrohttpd that runs, as `0.9.75`; under 1.0.10 it has known defects (see the threat model).
  package static var libraryVersion: String { Daemon.version }

  /// What is open now; any thread.
  package var counts: Counts {
    core.ledger.withLock { Counts(connections: $0.peers.count, suspended: $0.suspended, cut: $0.cut) }
  }

  /// New connections are refused from now on; those open get `Connection: close` with their next response. Any thread but a handler's.
  package func stopAccepting() {
    state.withLock { state in
      guard case .running(let daemon, let watchdog, let descriptor) = state else { return }
      core.ledger.withLock { $0.phase = .draining }
      daemon.quiesce()
      // Shut down now and closed after the library's last thread has ended: until then it might still use the number.
      shutdown(descriptor, Int32(SHUT_RDWR))
      state = .draining(daemon, watchdog, descriptor)
    }
  }

  /// Ends the server: waiting requests are answered with `Fault.stopping`, responses under way have `Limits.grace` to be sent,
  /// then every connection is closed and the threads are joined. Returns when that is done; any thread but a handler's.
  package func stop() {
    stopAccepting()
    state.withLock { state in
      guard case .draining(let daemon, let watchdog, let descriptor) = state else { return }
      refuseWaiting()
      watchdog.stop()
      let deadline = Monotonic.deadline(after: core.limits.grace)
      if core.ledger.wait(until: deadline, { $0.suspended == 0 ? true : nil }) == true {
        daemon.stop()
        close(descriptor)
      } else {
        // libmicrohttpd ends the whole process when it is stopped with a suspended connection; its threads are left to themselves.
        core.log("a suspended connection did not wake; the connection threads are left running")
        daemon.leave()
      }
      state = .stopped
    }
  }

  private func refuseWaiting() {
    let peers = core.ledger.withLock {
      $0.phase = .stopping
      return Array($0.peers.values)
    }
    for peer in peers { peer.exchange?.refuse(.stopping(retryAfter: core.limits.retryAfter)) }
    let deadline = Monotonic.deadline(after: core.limits.grace)
    let isQuiet: Bool? = core.ledger.wait(until: deadline) { $0.unfinished == 0 ? true : nil }
    if isQuiet == nil { core.log("stopping although requests are under way, after \(core.limits.grace)") }
  }
}
