import CMicroHTTPD
import Glibc

/// One connection, from accept to close, with the deadline of its client's next step. Only for its loop's thread.
///
/// libmicrohttpd's own timeout counts silence only: a client that drips a byte now and then is never late.
final class Peer {
  let loop: EventLoop
  let number: Int
  let address: String
  let descriptor: Int32
  /// The beginning of the ids of its requests.
  private let requestPrefix: [UInt8]
  /// Its place in the loop's list.
  var place = 0
  /// The request being read or answered, if any.
  private(set) var exchange: Exchange?
  /// The one before, for the next request. It refers back to this connection until `leave`.
  private var spare: Exchange?
  /// The bytes that were received.
  var wire = Wire()
  /// The last answer was given past the library, which has only to close.
  private(set) var isClosing = false
  /// The response under way, or sent, is the connection's last.
  var isLast = false
  /// The answer that is sent instead of the library's empty one.
  private var outgoing: Outgoing?
  /// The new owner of its socket counts it out.
  var isCountedElsewhere = false
  /// `Monotonic` nanoseconds; `.max` while it is our turn.
  private var deadline: UInt64
  /// The deadline is that of an idle connection: what comes next begins a head.
  private var isIdle = false
  private var requests = 0
  /// How far the answer under way had come when it was last asked for, and since when.
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

  /// The number of the request whose line has come, from 1.
  func nextRequest() -> Int {
    requests += 1
    return requests
  }

  /// The id of a request by its number.
  func requestID(_ number: Int) -> String {
    var (digits, rest) = (1, number)
    while rest >= 10 { (digits, rest) = (digits + 1, rest / 10) }
    // Written at once: most ids are so short that they take no memory.
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

  /// A request line has come; its headers have what is left of the head's time. The object of the request before serves again, unless
  /// another thread may still respond to that.
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

  /// The connection has closed: nothing of it is kept.
  func leave() {
    exchange?.finish()
    spare = nil
  }

  /// The client has so many nanoseconds for what it does now; nil: it waits for us.
  func allow(_ time: UInt64?) {
    isIdle = false
    deadline = time.map { loop.now + $0 } ?? .max
  }

  /// The library is about to send an empty answer: this one is sent instead.
  func answer(_ answer: Outgoing) { outgoing = answer }

  /// The response is sent. The library closes a connection that is silent too long by itself; a head that has begun has its own time.
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

  /// Whether the client's side is open; any thread. After the connection has closed and its number is reused, this may describe the new
  /// one: the requests of the old one have ended then, so the result does not matter.
  var isThere: Bool {
    // Hang-ups and errors are reported without being requested.
    var state = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: Self.halfClosed), revents: 0)
    return poll(&state, 1, 0) == 0
  }

  /// POLLRDHUP, which Swift's Glibc does not show (bits/poll.h).
  private static let halfClosed: Int32 = 0x2000

  /// Shuts the socket down when its client is late; libmicrohttpd then sees the end and closes. True when it did.
  func cut(ifLateAt now: UInt64) -> Bool {
    guard deadline <= now else { return false }
    cut()
    return true
  }

  /// Closes it at once. The kernel's memory for an unread response is released with the connection.
  func cut() {
    deadline = .max
    isClosing = true
    if exchange?.isAnswered ?? false { SocketOptions.resetAtClose(descriptor) }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Whether it is the client's turn: nothing is being answered, and no head lies there that the library has not come to.
  var isListening: Bool { !isClosing && !wire.hasHead && exchange?.isReading ?? true }

  /// Whether the client has ended its side, and all of it was read.
  var hasEnded: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }

  /// The client has ended while it was its turn.
  func end() {
    tellIfHalf()
    isClosing = true
    deadline = .max
    // It wakes the library, and allows a final response.
    shutdown(descriptor, Int32(SHUT_RD))
  }

  /// Whether the answer under way has not come further for so many nanoseconds, as far as that was asked for.
  func isStalled(_ time: UInt64) -> Bool {
    let left = cairn_unacknowledged(descriptor)
    if progress.sends != sends || progress.left != left { progress = (sends, left, loop.now) }
    return loop.now - progress.since >= time
  }

  /// Gives its socket to another owner, which has a descriptor of its own: the library only closes its own.
  func giveAway() {
    isClosing = true
    isCountedElsewhere = true
  }

  // MARK: what the library does

  /// It received so many bytes into a buffer that has room for more, none at the client's end. Gives how many it shall see; -1: none, and the
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
    // The error in a head is replaced by its end: the library finishes the request with it, once the earlier ones are answered.
    let place = wrong ?? 0
    let end = "\r\n\r\n".utf8.prefix(buffer.count - place)
    UnsafeMutableRawBufferPointer(rebasing: buffer[place...]).copyBytes(from: end)
    return place + end.count
  }

  /// It is about to answer the request that it reads with `status`, in its own words, which are not sent.
  func libraryRefused(status: Int) { say(wire.fault ?? Fault(libraryStatus: status, loop.context.limits)) }

  /// It is about to send these bytes. 0: it may; 1: they, or the answer instead of them, are sent; negative: an errno, negated, and nothing is sent.
  func librarySends(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    sends += 1
    if isClosing { return -EPIPE }
    return outgoing?.send(to: descriptor, inPlaceOf: bytes) ?? 0
  }

  /// The library is about to close its side; returns false if the close is done elsewhere. A message that is neither complete nor answered
  /// gets a response; bytes behind a final response are read and dropped, so that the response arrives.
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

  /// Sends a fault as the final response on this connection; once. The library must close its descriptor.
  func say(_ fault: Fault, _ request: Request?) {
    guard !isClosing else { return }
    isClosing = true
    loop.say(fault, request, to: self)
  }
}
