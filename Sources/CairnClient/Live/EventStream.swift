import CairnTransfer
import Foundation

/// A stream of server-sent events that reconnects after an interruption, and then continues after the last event. Only one task may use it.
struct EventStream {
  enum Part {
    case opened
    case event(EventStreamParser.Event)
    /// The stream was interrupted, and is opened again after a wait.
    case broken(ClientError)
  }

  private let wire: Wire
  private var call: Wire.Call
  private var parser: EventStreamParser
  private var running: RunningExchange?
  private var ready: [EventStreamParser.Event] = []
  /// The number of failures since the last event.
  private var failures = 0
  /// The wait before the stream is opened again; `nil` if no wait is needed.
  private var wait: Duration?
  private var isOver = false

  /// The timeout of a stream on which no bytes arrive. The service sends a comment every 15 s.
  private static let idle = Duration.seconds(50)
  /// The maximum number of unread bytes, and of bytes in one event.
  private static let limit = 32 << 20

  /// Creates the stream. `call` is the request without `Last-Event-ID`.
  init(_ wire: Wire, _ call: Wire.Call, lastID: String? = nil) {
    self.wire = wire
    self.call = call
    parser = EventStreamParser(lastID: lastID)
    self.call.headers["Accept"] = "text/event-stream"
  }

  /// Returns the next part, or `nil` if the task was cancelled, the stream was closed, or the service responded with 204. Throws if opening
  /// the stream again would not help.
  mutating func next() async throws(ClientError) -> Part? {
    while !isOver, !Task.isCancelled {
      if !ready.isEmpty { return .event(ready.removeFirst()) }
      if let wait {
        self.wait = nil
        do throws(ClientError) { try await wire.pause(wait) } catch { break }
      }
      guard let running else {
        if let part = try await open() { return part }
        continue
      }
      switch await running.next() {
      case .head: break
      case .bytes(let bytes):
        ready = parser.read(bytes)
        if !ready.isEmpty { failures = 0 }
        if parser.waiting > Self.limit { return broken(.malformed("one of its events has more than \(Self.limit) bytes")) }
      case .end(.cancelled?): isOver = true
      case .end(let error): return broken(error ?? .unreachable("the stream ended"))
      }
    }
    close()
    return nil
  }

  /// Closes the stream. It cannot be opened again.
  mutating func close() {
    isOver = true
    running = nil
  }

  /// Closes the connection, and opens the stream again after a wait. Returns the part that reports the error.
  mutating func reopen(_ error: ClientError) -> Part { broken(error) }

  /// Opens the stream. Returns `nil` if the service responds with 204, which forbids further attempts, or if the task was cancelled.
  private mutating func open() async throws(ClientError) -> Part? {
    var call = call
    if let id = parser.lastID { call.headers["Last-Event-ID"] = id }
    // The service sends a partly received event again as a whole.
    parser = EventStreamParser(lastID: parser.lastID, retry: parser.retry)
    let running = wire.transport.begin(
      try wire.request(call), TransferLimits(idle: Self.idle), waiting: Self.limit)
    var answer = Wire.Answer(status: 0, headers: [:], body: Data())
    while true {
      switch await running.next() {
      case .head(let head):
        (answer.status, answer.headers) = (head.status, head.headers)
        guard head.status == 200 else { continue }
        guard head.headers["content-type"]?.lowercased().hasPrefix("text/event-stream") == true else {
          throw .malformed("it is not a stream of events")
        }
        self.running = running
        return .opened
      case .bytes(let bytes):
        guard answer.body.count + bytes.count <= Wire.limit else { throw .malformed("it has more than \(Wire.limit) bytes") }
        answer.body.append(bytes)
      case .end(.cancelled?):
        isOver = true
        return nil
      case .end(let error?):
        guard error.mayPass else { throw error }
        return broken(error)
      case .end(nil):
        guard answer.status != 204 else {
          isOver = true
          return nil
        }
        let problem = ServiceProblem(answer)
        guard problem.isBusy else { throw .refused(problem) }
        return broken(.refused(problem))
      }
    }
  }

  /// Schedules the next attempt. The wait is the longest of the stream's `retry`, the response's `Retry-After`, and a back-off that grows with each failure.
  /// Returns the part that reports the error.
  private mutating func broken(_ error: ClientError) -> Part {
    running = nil
    failures += 1
    let asked = Duration.milliseconds(parser.retry ?? 0)
    wait = max(asked, wire.retry.backOff(failures), error.problem?.retryAfter ?? .zero)
    return .broken(error)
  }
}
