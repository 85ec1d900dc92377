import CMicroHTTPD
import Glibc

/// One connection, from accept to close, and the deadline of the client's next action. Used only on the loop's thread.
///
/// libmicrohttpd's own timeout measures silence only, so it never expires for a client that sends a byte now and then.
final class Peer {
  let loop: EventLoop
  let number: Int
  let address: String
  let descriptor: Int32
  /// The prefix of the ids of this connection's requests.
  private let requestPrefix: [UInt8]
  /// The connection's index in the loop's list.
  var place = 0
  /// The request that is being read or answered; `nil` if no request is in progress.
  private(set) var exchange: Exchange?
  /// The previous exchange, kept for reuse; `nil` if no exchange is kept. The exchange refers back to this connection until `leave` breaks
  /// the cycle.
  private var spare: Exchange?
  /// Follows the bytes received from the client.
  var wire = Wire()
  /// Whether this object has ended the connection or handed its socket over. The library then only has to close its descriptor.
  private(set) var isClosing = false
  /// Whether the current response is the last one of the connection.
  var isLast = false
  /// The response that is sent instead of the library's empty response; `nil` if the library's response is sent.
  private var outgoing: Outgoing?
  /// Whether the new owner of the socket will remove the connection from the counts when it closes the socket.
  var isCountedElsewhere = false
  /// The client's deadline in `Monotonic` nanoseconds; `.max` while the server has to act.
  private var deadline: UInt64
  /// Whether the connection is idle, so that the next byte begins a head.
  private var isIdle = false
  private var requests = 0
  /// The progress of the current response at the last change that `isStalled` has observed: the number of sends, the number of
  /// unacknowledged bytes, and the time of the change in `Monotonic` nanoseconds.
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

  /// Counts a request whose request line has arrived, and returns its number on this connection, starting with 1.
  func nextRequest() -> Int {
    requests += 1
    return requests
  }

  /// Returns the id of the request with this number on this connection.
  func requestID(_ number: Int) -> String {
    var (digits, rest) = (1, number)
    while rest >= 10 { (digits, rest) = (digits + 1, rest / 10) }
    // Written in place, because most ids are so short that Swift stores them without a heap allocation.
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

  /// Starts an exchange when a request line has arrived. The deadline covers the whole head, including the fields that follow. The previous
  /// exchange object is reused unless another thread may still respond to it.
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

  /// Releases the exchanges when the connection has closed.
  func leave() {
    exchange?.finish()
    spare = nil
  }

  /// Sets the client's deadline to `time` nanoseconds from now. `nil` means that the client has no deadline, because the server must act.
  func allow(_ time: UInt64?) {
    isIdle = false
    deadline = time.map { loop.now + $0 } ?? .max
  }

  /// Stores the response that is sent instead of the library's empty one.
  func answer(_ answer: Outgoing) { outgoing = answer }

  /// Ends the exchange when its response has been sent or its connection has closed, and sets the deadline of the next request. The library
  /// itself closes idle connections; a head that has begun gets its own deadline.
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

  /// Whether the client's side is open. May be called on any thread. When the connection has closed and its descriptor is reused, the
  /// result may describe the new connection. This is harmless, because the requests of the old connection have ended.
  var isThere: Bool {
    // `poll` reports hang-ups and errors even if they are not requested.
    var state = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: Self.halfClosed), revents: 0)
    return poll(&state, 1, 0) == 0
  }

  /// POLLRDHUP, which Swift's Glibc does not export (bits/poll.h).
  private static let halfClosed: Int32 = 0x2000

  /// Shuts the socket down and returns `true` if the client has missed its deadline. libmicrohttpd then detects the end of the connection
  /// and closes it.
  func cut(ifLateAt now: UInt64) -> Bool {
    guard deadline <= now else { return false }
    cut()
    return true
  }

  /// Shuts the socket down at once. If a response has begun, the connection is reset, so that the kernel frees the memory of the unread
  /// bytes.
  func cut() {
    deadline = .max
    isClosing = true
    if exchange?.isAnswered ?? false { SocketOptions.resetAtClose(descriptor) }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Whether the client has to act: no request is being answered, and no complete head waits for the library.
  var isListening: Bool { !isClosing && !wire.hasHead && exchange?.isReading ?? true }

  /// Whether the client has closed its side and all its bytes have been read.
  var hasEnded: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
  }

  /// Ends a connection whose client has closed its side while the server waited for its bytes. An incomplete request gets an error
  /// response.
  func end() {
    rejectIfIncomplete()
    isClosing = true
    deadline = .max
    // The shutdown wakes the library, and a final response can still be sent.
    shutdown(descriptor, Int32(SHUT_RD))
  }

  /// Whether the current response has made no progress for `time` nanoseconds. Progress is detected only when this method is called.
  func isStalled(_ time: UInt64) -> Bool {
    let left = cairn_unacknowledged(descriptor)
    if progress.sends != sends || progress.left != left { progress = (sends, left, loop.now) }
    return loop.now - progress.since >= time
  }

  /// Records that the socket has another owner, which uses a duplicate of the descriptor. The library closes only its own descriptor.
  func giveAway() {
    isClosing = true
    isCountedElsewhere = true
  }

  // MARK: calls of the library

  /// Called when the library has received `count` bytes into a buffer, or 0 at the end of the client's bytes. Returns the number of bytes
  /// that the library may read, or -1 to make the library fail the connection.
  func receive(_ count: Int, in buffer: UnsafeMutableRawBufferPointer) -> Int {
    if isClosing { return -1 }
    guard count > 0 else {
      rejectIfIncomplete()
      return count
    }
    let wrong = wire.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    if isIdle, wire.isWithin { startHead() }
    guard wire.fault != nil else { return count }
    if wire.isBodyFault { return -1 }
    // The malformed part of a head is overwritten with a line end and an empty line. The library then completes the request in order, after
    // the earlier responses.
    let place = wrong ?? 0
    let end = "\r\n\r\n".utf8.prefix(buffer.count - place)
    UnsafeMutableRawBufferPointer(rebasing: buffer[place...]).copyBytes(from: end)
    return place + end.count
  }

  /// Called when the library is about to reject the current request with `status`. Sends the response to `wire.fault`, or to the fault for
  /// `status`, instead of the library's response.
  func libraryRefused(status: Int) { sendLast(wire.fault ?? Fault(libraryStatus: status, loop.context.limits)) }

  /// Called when the library is about to send these bytes. Returns 0 if the library must send them itself, 1 if other bytes have been sent
  /// instead, or a negated `errno` to make the call fail.
  func librarySends(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    sends += 1
    if isClosing { return -EPIPE }
    return outgoing?.send(to: descriptor, inPlaceOf: bytes) ?? 0
  }

  /// Called when the library is about to close its side. Returns `false` if this object closes the connection itself. An incomplete message
  /// receives a response first. Bytes that follow a last response are read and dropped, so that the response arrives.
  func libraryCloses() -> Bool {
    if isClosing { return false }
    if isLast, wire.isWithin {
      isClosing = true
      loop.sendLast([], to: self)
    }
    rejectIfIncomplete()
    return !isClosing
  }

  private func rejectIfIncomplete() {
    guard wire.isWithin, !isLast, exchange?.isReading ?? true else { return }
    sendLast(wire.fault ?? .badRequest(reason: "the request is incomplete, or is not HTTP/1.1"))
  }

  private func sendLast(_ fault: Fault) {
    if let exchange { exchange.sendLast(fault) } else { sendLast(fault, nil) }
  }

  /// Sends a fault as the last response on this connection, at most once. The library must close its descriptor.
  func sendLast(_ fault: Fault, _ request: Request?) {
    guard !isClosing else { return }
    isClosing = true
    loop.sendLast(fault, request, to: self)
  }
}
