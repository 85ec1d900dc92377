import Glibc
import Synchronization

// Writes final responses without libmicrohttpd, and handles the library's log lines. Used on the loop's thread.
extension EventLoop {
  /// Logs a line of the library. Drops the line if a response was sent without the library in this round, because the line then concerns
  /// that request. Lines that contain "Error processing request" are always dropped.
  func note(_ line: String) {
    if !isAnswered, !line.contains("Error processing request") { context.log(line) }
  }

  /// Sends the response to a fault without the library. The library must close its descriptor of the connection afterwards.
  func sendLast(_ fault: Fault, _ request: Request?, to peer: Peer) {
    let asksForHead = request?.asksForHead ?? peer.wire.asksForHead
    sendLast(AnswerText.bytes(context.response(to: fault, request), hasBody: !asksForHead), to: peer)
  }

  /// Sends the given bytes, which may be empty, as the last bytes of the connection. The client's unread bytes are read before the
  /// connection is closed. If the process has no free descriptor, makes one attempt to send the bytes, and reads nothing.
  func sendLast(_ answer: [UInt8], to peer: Peer) {
    isAnswered = true
    guard let copy = SocketOptions.copy(peer.descriptor) else {
      _ = answer.withUnsafeBytes { send(peer.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
      return
    }
    peer.isCountedElsewhere = true
    lingering.add(answer, on: copy, host: peer.address, now: now)
    hasMoved = true
  }

  /// Sends a response to a refused connection, then closes the connection. If too many of these responses are in progress, closes the
  /// connection without a response.
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

  /// Removes a closed connection of this address from the counts.
  func depart(_ host: String) {
    figures.connections.subtract(1, ordering: .relaxed)
    acceptor.left(host)
  }
}
