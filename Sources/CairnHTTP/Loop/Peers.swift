import Glibc

/// The connections of one loop, used only on the loop's thread. A class, because Swift would check every access to a struct in the loop for
/// exclusivity.
final class Peers {
  private var all: [Peer] = []
  /// The connections indexed by descriptor.
  private var byDescriptor: [Peer?] = []
  /// The number of connections added so far.
  private(set) var opened = 0

  var isEmpty: Bool { all.isEmpty }

  /// Adds a connection.
  func enter(_ peer: Peer) {
    opened += 1
    peer.place = all.count
    all.append(peer)
    let index = Int(peer.descriptor)
    if byDescriptor.count <= index { byDescriptor += [Peer?](repeating: nil, count: index + 1 - byDescriptor.count) }
    byDescriptor[index] = peer
  }

  /// Removes a connection.
  func strike(_ peer: Peer) {
    let last = all.removeLast()
    if last !== peer {
      last.place = peer.place
      all[peer.place] = last
    }
    if byDescriptor[Int(peer.descriptor)] === peer { byDescriptor[Int(peer.descriptor)] = nil }
  }

  /// Returns the connection that owns the descriptor; `nil` if no connection owns it.
  func peer(on descriptor: Int32) -> Peer? {
    byDescriptor.indices.contains(Int(descriptor)) ? byDescriptor[Int(descriptor)] : nil
  }

  /// Cuts off the connections whose deadline has passed, and returns them.
  func cutLate(at now: UInt64) -> [Peer] { all.filter { $0.cut(ifLateAt: now) } }

  /// Ends the connections whose client has closed its side while the server waited for its bytes. libmicrohttpd 0.9.75 misses a close that
  /// arrives together with bytes. Returns whether any connection was ended.
  func endHalf() -> Bool {
    let listening = all.filter(\.isListening)
    var ends = listening.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    guard poll(&ends, nfds_t(ends.count), 0) > 0 else { return false }
    let ended = zip(listening, ends).filter { $1.revents != 0 && $0.hasEnded }
    for (peer, _) in ended { peer.end() }
    return !ended.isEmpty
  }

  /// Closes the connections whose request is incomplete.
  func cutHalf() {
    for peer in all where peer.exchange?.isReading ?? false { peer.cut() }
  }

  /// Closes the connections whose response has made no progress for `time` nanoseconds.
  func cutStalled(_ time: UInt64) {
    for peer in all where peer.exchange?.isAnswered ?? false && peer.isStalled(time) { peer.cut() }
  }

  /// Refuses every request that is in progress with a fault. A request that already has a response gets that response.
  func refuse(_ fault: Fault) {
    for peer in all { peer.exchange?.refuse(fault) }
  }
}
