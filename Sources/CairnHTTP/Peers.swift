import Glibc

/// The connections of one loop, used only on its thread. An object, because each access to a struct within the loop would be checked for exclusivity.
final class Peers {
  private var all: [Peer] = []
  /// The same by descriptor.
  private var byDescriptor: [Peer?] = []
  /// How many there were so far.
  private(set) var opened = 0

  /// Whether there is none.
  var isEmpty: Bool { all.isEmpty }

  /// One more.
  func enter(_ peer: Peer) {
    opened += 1
    peer.place = all.count
    all.append(peer)
    let index = Int(peer.descriptor)
    if byDescriptor.count <= index { byDescriptor += [Peer?](repeating: nil, count: index + 1 - byDescriptor.count) }
    byDescriptor[index] = peer
  }

  /// One less.
  func strike(_ peer: Peer) {
    let last = all.removeLast()
    if last !== peer {
      last.place = peer.place
      all[peer.place] = last
    }
    if byDescriptor[Int(peer.descriptor)] === peer { byDescriptor[Int(peer.descriptor)] = nil }
  }

  /// Whose descriptor that is.
  func peer(on descriptor: Int32) -> Peer? {
    byDescriptor.indices.contains(Int(descriptor)) ? byDescriptor[Int(descriptor)] : nil
  }

  /// Cuts off those that are late, and gives them.
  func cutLate(at now: UInt64) -> [Peer] { all.filter { $0.cut(ifLateAt: now) } }

  /// Ends those whose clients have ended, where it was their turn: 0.9.75 does not see an end that came together with bytes. True: there was one.
  func endHalf() -> Bool {
    let listening = all.filter(\.isListening)
    var ends = listening.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    guard poll(&ends, nfds_t(ends.count), 0) > 0 else { return false }
    let ended = zip(listening, ends).filter { $1.revents != 0 && $0.hasEnded }
    for (peer, _) in ended { peer.end() }
    return !ended.isEmpty
  }

  /// Cuts off those that have not finished asking.
  func cutHalf() {
    for peer in all where peer.exchange?.isReading ?? false { peer.cut() }
  }

  /// Cuts off those whose answer has not come further for so many nanoseconds.
  func cutStalled(_ time: UInt64) {
    for peer in all where peer.exchange?.isAnswered ?? false && peer.isStalled(time) { peer.cut() }
  }

  /// A fault in place of every response that is not there yet.
  func refuse(_ fault: Fault) {
    for peer in all { peer.exchange?.refuse(fault) }
  }
}
