import Glibc
import Synchronization

// Serves streams in every round. A stream runs on a connection that was taken over from the library. Used on the loop's thread.
extension EventLoop {
  /// The time that a client has to read the last bytes of a stream, in nanoseconds.
  private static let lingering: UInt64 = 2_000_000_000

  /// Takes the connection over for a stream. Returns false if `Limits.streams` is reached, the process has no free descriptor, or the
  /// socket cannot be watched.
  func begin(_ stream: ByteStream, on peer: Peer) -> Bool {
    guard context.takeStream() else { return false }
    guard let descriptor = SocketOptions.copy(peer.descriptor) else {
      context.returnStream()
      return false
    }
    SocketOptions.prepareStream(descriptor, timeout: context.limits.download)
    let outlet = Outlet(stream, on: descriptor, host: peer.address, of: self)
    guard outlets.enter(outlet) else {
      Glibc.close(descriptor)
      context.returnStream()
      return false
    }
    isAnswered = true
    peer.giveAway()
    figures.streams.add(1, ordering: .relaxed)
    if context.phase == .stopping { stream.close(.stopping) }
    hasMoved = true
    return true
  }

  /// Serves streams that have bytes to send or must end, at most 128 per call. `isReadable` is whether epoll has events for the streams'
  /// sockets.
  func tendStreams(isReadable: Bool) {
    let (gone, isAll) = outlets.look(now, isReadable: isReadable)
    for outlet in gone { end(outlet, .left) }
    for outlet in outlets.late(at: now) { end(outlet, outlet.isSent ? .ended : .slow) }
    for outlet in outlets.takeTurn() where outlets.isThere(outlet) {
      switch outlet.flush(at: now) {
      case .open:
        if outlet.stuckSince < .max, outlet.deadline == .max, outlet.stream.isClosing {
          outlets.allow(outlet, until: now + context.times.download)
        }
      case .sent:
        outlets.endSending(outlet, until: now + Self.lingering)
        outlet.stream.finish(nil)
      case .over(let reason): end(outlet, reason)
      }
    }
    if !isAll || outlets.isBusy { hasMoved = true }
  }

  /// Rejects further bytes of every stream's producer; queued bytes are still sent. Called when the server stops.
  func stopStreams() {
    for outlet in outlets.all { outlet.stream.close(.stopping) }
  }

  /// Ends the streams whose client has accepted no bytes for `time` nanoseconds.
  func cutStalledStreams(_ time: UInt64) {
    for outlet in outlets.all where now >= outlet.stuckSince && now - outlet.stuckSince >= time { end(outlet, .stopping) }
  }

  /// Ends all streams at once, without sending their queued bytes.
  func closeStreams() {
    for outlet in outlets.all { end(outlet, .stopping) }
    outlets.clear()
  }

  private func end(_ outlet: Outlet, _ reason: StreamEnd) {
    guard outlets.strike(outlet) else { return }
    if reason == .slow {
      figures.cut.add(1, ordering: .relaxed)
      context.log("closed a stream to \(outlet.host), because the client read it too slowly")
    }
    outlet.close(isCut: !outlet.isSent && reason != .left)
    figures.streams.subtract(1, ordering: .relaxed)
    context.returnStream()
    depart(outlet.host)
    outlet.stream.finish(reason)
    hasMoved = true
  }
}
