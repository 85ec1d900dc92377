import CairnRuntime
import Synchronization

/// An HTTP/1.1 server on one port. It listens from `init` until `stopAccepting()`, and ends with `stop()`.
///
/// Requests that reach `handler` are framed unambiguously and decoded. For any other request, also for one that libmicrohttpd cannot parse, the
/// response of `fault` is sent once, and the connection closes.
package final class Server: Sendable {
  /// The current statistics of the server.
  package struct Counts: Sendable, Equatable {
    /// The number of open connections.
    package let connections: Int
    /// The number of streams among them.
    package let streams: Int
    /// The number of requests that wait for their response.
    package let suspended: Int
    /// The number of connections so far that were closed because their client was too slow.
    package let cut: Int
    /// The number of connections so far that were refused because there were too many.
    package let refused: Int
  }

  private enum State {
    case running([Lane])
    case draining([Lane])
    case stopped
  }

  /// A loop and its thread.
  private struct Lane {
    let loop: EventLoop
    let thread: NamedThread
  }

  /// The port on which the server listens, also if port 0 was requested.
  package let port: Int
  private let context: ServerContext
  private let acceptor: ConnectionAcceptor
  private let figures: [Figures]
  private let state: Lock<State>

  /// Listens on an IP address or `localhost`. `fault` and `handler` run on the connection threads and must not block. `log` receives one line at a
  /// time, and `refused` the address of each refused connection, both on any thread.
  package init(
    host: String, port: Int, limits: Limits = Limits(), threads: Int = 1,
    fault: @escaping @Sendable (Fault, Request?) -> Response = { fault, _ in Response(status: fault.status) },
    log: @escaping @Sendable (String) -> Void = { _ in }, refused: @escaping @Sendable (String) -> Void = { _ in },
    handler: @escaping Handler
  ) throws(ServerError) {
    guard Daemon.isObserved else { throw .libraryNotOverheard }
    context = ServerContext(limits: limits, fault: fault, log: log, handler: handler)
    let socket = try ListeningSocket(host: host, port: port)
    self.port = socket.port
    acceptor = ConnectionAcceptor(socket, limits: limits, refused: refused, log: log)
    do throws(ServerError) {
      let lanes = try Self.start(max(1, threads), context, acceptor)
      figures = lanes.map(\.loop.figures)
      state = Lock(.running(lanes))
    } catch {
      acceptor.close()
      throw error
    }
  }

  deinit { stop() }

  private static func start(_ count: Int, _ context: ServerContext, _ acceptor: ConnectionAcceptor) throws(ServerError) -> [Lane] {
    var loops: [EventLoop] = []
    for _ in 1...count { loops.append(try EventLoop(context, acceptor)) }
    var lanes: [Lane] = []
    do {
      // The loop that accepts connections starts last, so that the others can take them.
      for (index, loop) in loops.enumerated().reversed() {
        let thread = try NamedThread("http-\(index + 1)") { [loops] in
          loop.run(assigner: index == 0 ? ConnectionAssigner(acceptor, loops) : nil)
        }
        lanes.append(Lane(loop: loop, thread: thread))
      }
    } catch {
      end(lanes, context)
      throw .libraryRefused
    }
    return lanes
  }

  private static func end(_ lanes: [Lane], _ context: ServerContext) {
    context.phase = .stopping
    for lane in lanes { lane.loop.wake() }
    for lane in lanes { lane.thread.join() }
  }

  /// The version of the installed libmicrohttpd, such as `0.9.75`. Versions before 1.0.10 have known defects (see the threat model).
  package static var libraryVersion: String { Daemon.version }

  /// The current statistics. Any thread.
  package var counts: Counts {
    figures.reduce(into: Counts(connections: 0, streams: 0, suspended: 0, cut: 0, refused: acceptor.refusals)) { $0.add($1) }
  }

  /// Throws the error that `init` would throw for an address and a port, without listening.
  package static func check(host: String, port: Int) throws(ServerError) { try ListeningSocket.check(host: host, port: port) }

  /// Refuses new connections from now on. Open ones close after their next response. Any thread but a handler's.
  package func stopAccepting() {
    state.withLock { state in
      guard case .running(let lanes) = state else { return }
      context.phase = .draining
      acceptor.shut()
      for lane in lanes { lane.loop.wake() }
      state = .draining(lanes)
    }
  }

  /// Ends the server, and returns when it has ended. Waiting requests are answered with `Fault.stopping`, and incomplete ones are cut. Responses in
  /// progress and queued bytes of streams have `Limits.grace`, as long as they make progress. Then every connection is closed. Any thread but a
  /// handler's.
  package func stop() {
    stopAccepting()
    state.withLock { state in
      guard case .draining(let lanes) = state else { return }
      Self.end(lanes, context)
      acceptor.close()
      state = .stopped
    }
  }
}

extension Server.Counts {
  fileprivate mutating func add(_ figures: Figures) {
    self = Self(
      connections: connections + figures.connections.load(ordering: .relaxed),
      streams: streams + figures.streams.load(ordering: .relaxed),
      suspended: suspended + figures.resting.load(ordering: .relaxed), cut: cut + figures.cut.load(ordering: .relaxed),
      refused: refused)
  }
}
