package import Logging

/// Writes a line for each answered request. Never blocks: a line that does not fit into the buffer is dropped and counted. Thread-safe.
package protocol RequestLog: Sendable {
  func add(_ record: RequestRecord)
  /// The number of lines dropped so far.
  var dropped: Int { get }
}

/// Passes each line directly to the logger.
struct PlainRequestLog: RequestLog {
  let log: Logger

  var dropped: Int { 0 }

  func add(_ record: RequestRecord) {
    var metadata: Logger.Metadata = [
      "method": "\(record.method.rawValue)", "route": "\(record.routeLabel)", "status": "\(record.status)",
      "ms": "\(Double(record.nanoseconds / 1_000) / 1_000)", "request": "\(record.requestID)",
    ]
    if !record.address.isEmpty { metadata["address"] = "\(record.address)" }
    if let role = record.role { metadata["role"] = "\(role.rawValue)" }
    if let who = record.operatorName { metadata["who"] = "\(who)" }
    if let revision = record.revision { metadata["revision"] = "\(revision)" }
    if let session = record.session { metadata["session"] = "\(session)" }
    if let trace = record.traceID { metadata["trace"] = "\(trace)" }
    if let result = record.result { metadata["result"] = "\(result)" }
    log.log(level: record.level, record.operatorName == nil ? "request" : "audit", metadata: metadata)
  }
}

extension RequestRecord {
  /// The log level: `error` for a failure of the service, `notice` for an operator's request, `info` for other requests.
  package var level: Logger.Level { status >= 500 ? .error : role == .operator ? .notice : .info }
}
