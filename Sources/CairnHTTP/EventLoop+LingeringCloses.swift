import Glibc
import Synchronization

// Responses that are sent without the library, and the library's own. On the loop's thread.
extension EventLoop {
  /// Logs the library's messages about the machine, but not those about clients that were answered.
  func note(_ line: String) {
    if !isAnswered, !line.contains("Error processing request") { context.log(line) }
  }

  /// Sends the response to a fault without the library, which then closes its descriptor.
  func say(_ fault: Fault, _ request: Request?, to peer: Peer) {
    let asksForHead = request?.asksForHead ?? peer.wire.asksForHead
    say(AnswerText.bytes(context.response(to: fault, request), hasBody: !asksForHead), to: peer)
  }

  /// Sends the last bytes of a connection, if there are any, without the library.
  func say(_ answer: [UInt8], to peer: Peer) {
    isAnswered = true
    guard let copy = SocketOptions.copy(peer.descriptor) else {
      _ = answer.withUnsafeBytes { send(peer.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
      return
    }
    peer.isCountedElsewhere = true
    lingering.add(answer, on: copy, host: peer.address, now: now)
    hasMoved = true
  }

  /// Sends the response to a refused connection, unless too many are being sent.
  func turnAway(_ arrival: Arrival, _ fault: Fault) {
    guard lingering.hasRoom else {
      SocketOptions.resetAtClose(arrival.descriptor)
      Glibc.close(arrival.descriptor)
      return
    }
    acceptor.countIn(arrival.host)
    figures.connections.add(1, ordering: .relaxed)
    let answer = AnswerText.bytes(context.response(to: fault, nil), hasBody: true)
    lingering.add(answer, on: arrival.descriptor, host: arrival.host, now: now)
  }

  /// Counts a connection as closed.
  func depart(_ host: String) {
    figures.connections.subtract(1, ordering: .relaxed)
    acceptor.left(host)
  }
}
