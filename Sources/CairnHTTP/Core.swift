import CairnRuntime

/// What all connections of one server share. Any thread.
final class Core: Sendable {
  /// How far the server is on its way down.
  enum Phase { case running, draining, stopping }

  /// What is open now. Connections by their number, requests as counts.
  struct Ledger {
    var peers: [Int: Peer] = [:]
    var opened = 0
    var cut = 0
    /// Requests whose head came and whose response is not wholly sent.
    var unfinished = 0
    var suspended = 0
    var phase = Phase.running
  }

  let limits: Limits
  let handler: Handler
  let log: @Sendable (String) -> Void
  let ledger = Monitor(Ledger())
  /// The beginning of each request's id.
  let prefix = String(UInt32.random(in: .min ... .max), radix: 36)
  private let fault: @Sendable (Fault, Request?) -> Response

  init(
    limits: Limits, fault: @escaping @Sendable (Fault, Request?) -> Response, log: @escaping @Sendable (String) -> Void,
    handler: @escaping Handler
  ) {
    self.limits = limits
    self.handler = handler
    self.fault = fault
    self.log = log
  }

  /// The answer to a fault; it ends its connection.
  func response(to fault: Fault, _ request: Request?) -> Response {
    var response = self.fault(fault, request)
    response.headers.set("Connection", "close")
    return response
  }

  /// Enters a new connection.
  func open(descriptor: Int32) -> Peer {
    let address = SocketAddress.peer(of: descriptor)?.host ?? "unknown"
    return ledger.withLock { ledger in
      ledger.opened += 1
      let peer = Peer(core: self, number: ledger.opened, address: address, descriptor: descriptor)
      ledger.peers[peer.number] = peer
      return peer
    }
  }

  /// Strikes a connection out.
  func close(_ peer: Peer) { ledger.withLock { _ = $0.peers.removeValue(forKey: peer.number) } }

  /// Counts a request in, and says whether it is still welcome.
  func begin() -> Phase {
    ledger.withLock {
      $0.unfinished += 1
      return $0.phase
    }
  }

  /// Counts a request out.
  func end() { ledger.change { $0.unfinished -= 1 } }

  /// Counts suspended connections up or down by one.
  func suspended(_ difference: Int) { ledger.change { $0.suspended += difference } }

  /// True when each response must be its connection's last.
  var isLeaving: Bool { ledger.withLock { $0.phase != .running } }
}
