package import Logging

/// Writes a line for each answered request. Never blocks: lines for which there is no room are dropped and counted. Any thread.
package protocol RequestLog: Sendable {
  func add(_ record: RequestRecord)
  /// The number of dropped lines.
  var dropped: Int { get }
}

/// Writes each line to the logger without a queue.
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
  /// A fault of the service is an error; a fault of the client is not. An operator's request is a notice.
  package var level: Logger.Level { status >= 500 ? .error : role == .operator ? .notice : .info }
}
