import CMicroHTTPD
import Glibc

/// A connection from accept to close, with the deadline of the client's next step. Only for the loop's thread.
///
/// libmicrohttpd's own timeout only measures silence, so a client that sends a byte now and then is never late for it.
final class Peer {
  let loop: EventLoop
  let number: Int
  let address: String
  let descriptor: Int32
  /// The prefix of the ids of the connection's requests.
  private let requestPrefix: [UInt8]
  /// The index in the loop's list.
  var place = 0
  /// The request that is being read or answered, if any.
  private(set) var exchange: Exchange?
  /// The object of the previous request, for the next one. It references this connection until `leave`.
  private var spare: Exchange?
  /// The received bytes.
  var wire = Wire()
  /// Whether the final response has been sent without the library, which only has to close its descriptor.
  private(set) var isClosing = false
  /// Whether the response in progress, or the last one, is the connection's last.
  var isLast = false
  /// The response that is sent instead of the library's empty one.
  private var outgoing: Outgoing?
  /// Whether the new owner of the socket counts the connection as closed.
  var isCountedElsewhere = false
  /// The deadline of the client (`Monotonic`); `.max` while the service has its turn.
  private var deadline: UInt64
  /// Whether the deadline is that of an idle connection, whose next byte begins a head.
  private var isIdle = false
  private var requests = 0
  /// The progress of the response at the last check, and the time since which it has not changed.
  private var progress: (sends: Int, left: Int32, since: UInt64) = (-1, 0, 0)
  private var sends = 0

  init(_ loop: EventLoop, number: Int, address: String, descriptor: Int32) {
    self.loop = loop
    self.number = number
    self.address = address
    requestPrefix = Array("\(loop.context.prefix)-\(number)-".utf8)
    self.descriptor = descriptor
    deadline = loop.now + loop.context.times.head
  }

  /// The number of the request whose line has arrived, counted from 1.
  func nextRequest() -> Int {
    requests += 1
    return requests
  }

  /// The id of a request.
  func requestID(_ number: Int) -> String {
    var (digits, rest) = (1, number)
    while rest >= 10 { (digits, rest) = (digits + 1, rest / 10) }
    // Built in place, because most ids are short enough to need no allocation.
    return String(unsafeUninitializedCapacity: requestPrefix.count + digits) { room in
      let start = room.update(fromContentsOf: requestPrefix)
      var rest = number
      for place in (start..<start + digits).reversed() {
        room[place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      return start + digits
    }
  }

  /// Begins a request whose line has arrived. Its fields have the rest of the head's time. The previous request's object is reused, unless another
  /// thread may still use it.
  func begin(target: UnsafePointer<CChar>) -> Exchange {
    let next: Exchange
    if exchange == nil, isKnownUniquelyReferenced(&spare), let spare = spare.take() {
      spare.begin(target: target)
      next = spare
    } else {
      next = Exchange(self, target: target)
    }
    exchange = next
    isLast = false
    startHead()
    return next
  }

  /// Releases everything, because the connection has closed.
  func leave() {
    exchange?.finish()
    spare = nil
  }

  /// Sets the time in nanoseconds that the client has for its current step; `nil` if it waits for the service.
  func allow(_ time: UInt64?) {
    isIdle = false
    deadline = time.map { loop.now + $0 } ?? .max
  }

  /// Sets the response that is sent instead of the library's empty one.
  func answer(_ answer: Outgoing) { outgoing = answer }

  /// Notes that the response has been sent. The library itself closes connections that are silent for too long; a head that has begun has a deadline
  /// of its own.
  func finish() {
    spare = exchange.take()
    outgoing = nil
    isIdle = true
    deadline = loop.now + loop.context.times.betweenRequests
    if wire.isWithin { startHead() }
  }

  private func startHead() {
    guard isIdle else { return }
    isIdle = false
    deadline = loop.now + loop.context.times.head
  }

  /// Whether the client's side is open. After the connection has closed, the descriptor may be that of a new connection; all requests of the old one
  /// have ended then, so the result does not matter. Any thread.
  var isThere: Bool {
    // Hang-ups and errors are reported without being requested.
    var state = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: Self.halfClosed), revents: 0)
    return poll(&state, 1, 0) == 0
  }

  /// POLLRDHUP, which Swift's Glibc does not export (bits/poll.h).
  private static let halfClosed: Int32 = 0x2000

  /// Shuts the socket down if the client is late. libmicrohttpd then sees the end and closes it. Returns whether it did.
  func cut(ifLateAt now: UInt64) -> Bool {
    guard deadline <= now else { return false }
    cut()
    return true
  }

  /// Closes the connection at once. The kernel's memory for an unread response is released with it.
  func cut() {
    deadline = .max
    isClosing = true
    if exchange?.isAnswered ?? false { SocketOptions.resetAtClose(descriptor) }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Whether the client has its turn: no response is in progress, and no head is waiting for the library.
  var isListening: Bool { !isClosing && !wire.hasHead && exchange?.isReading ?? true }

  /// Whether the client has closed its side and everything from it has been read.
  var hasEnded: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }

  /// Handles a client that has closed its side during its turn.
  func end() {
    tellIfHalf()
    isClosing = true
    deadline = .max
    // Wakes the library, and still allows a final response.
    shutdown(descriptor, Int32(SHUT_RD))
  }

  /// Whether the response in progress has not moved for `time` nanoseconds, as far as it was checked.
  func isStalled(_ time: UInt64) -> Bool {
    let left = cairn_unacknowledged(descriptor)
    if progress.sends != sends || progress.left != left { progress = (sends, left, loop.now) }
    return loop.now - progress.since >= time
  }

  /// Passes the socket to another owner, which has a descriptor of its own. The library only closes its descriptor.
  func giveAway() {
    isClosing = true
    isCountedElsewhere = true
  }

  // MARK: what the library does

  /// Called when the library has received `count` bytes into a buffer, 0 at the client's end. Returns how many of them it shall see, or -1 if the
  /// connection has failed.
  func receive(_ count: Int, in buffer: UnsafeMutableRawBufferPointer) -> Int {
    if isClosing { return -1 }
    guard count > 0 else {
      tellIfHalf()
      return count
    }
    let wrong = wire.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    if isIdle, wire.isWithin { startHead() }
    guard wire.fault != nil else { return count }
    if wire.isBodyFault { return -1 }
    // Malformed bytes in a head are replaced by the connection's end, so that the library finishes the request after the earlier ones have been
    // answered.
    let place = wrong ?? 0
    let end = "\r\n\r\n".utf8.prefix(buffer.count - place)
    UnsafeMutableRawBufferPointer(rebasing: buffer[place...]).copyBytes(from: end)
    return place + end.count
  }

  /// Called when the library is about to reject the request with `status`. Its own response is not sent.
  func libraryRefused(status: Int) { say(wire.fault ?? Fault(libraryStatus: status, loop.context.limits)) }

  /// Called when the library is about to send bytes. Returns 0 if it shall send them, 1 if they or the response in place of them have been sent, and
  /// a negated errno if nothing can be sent.
  func librarySends(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    sends += 1
    if isClosing { return -EPIPE }
    return outgoing?.send(to: descriptor, inPlaceOf: bytes) ?? 0
  }

  /// Called when the library is about to close its side. Returns `false` if the close is done elsewhere. An incomplete message without a response
  /// gets one. Bytes after a final response are read and discarded, so that the response arrives.
  func libraryCloses() -> Bool {
    if isClosing { return false }
    if isLast, wire.isWithin {
      isClosing = true
      loop.say([], to: self)
    }
    tellIfHalf()
    return !isClosing
  }

  private func tellIfHalf() {
    guard wire.isWithin, !isLast, exchange?.isReading ?? true else { return }
    say(wire.fault ?? .badRequest(reason: "this is not a whole request of HTTP/1.1"))
  }

  private func say(_ fault: Fault) {
    if let exchange { exchange.say(fault) } else { say(fault, nil) }
  }

  /// Sends a fault as the final response, once. The library must close its descriptor.
  func say(_ fault: Fault, _ request: Request?) {
    guard !isClosing else { return }
    isClosing = true
    loop.say(fault, request, to: self)
  }
}
