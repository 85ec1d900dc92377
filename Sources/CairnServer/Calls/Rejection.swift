package import CairnAPI
package import CairnHTTP
import CairnJournal
package import CairnStore

/// A response that reports a problem. The errors of other modules are converted to HTTP responses only here.
package struct Rejection: Error, Sendable {
  package var problem: Problem
  package var headers: Headers

  package init(_ problem: Problem, headers: Headers = [:]) {
    self.problem = problem
    self.headers = headers
  }

  package init(_ code: ProblemCode, _ detail: String, errors: [Problem.Item]? = nil, headers: Headers = [:]) {
    self.init(Problem(code, detail, errors: errors), headers: headers)
  }

  /// Creates the response to a fault that CairnHTTP has detected.
  package init(_ fault: Fault) {
    switch fault {
    case .badRequest(let reason): self.init(.badRequest, reason)
    case .payloadTooLarge(let limit): self.init(.payloadTooLarge, "the body must have at most \(limit) bytes")
    case .uriTooLong(let limit): self.init(.targetTooLong, "the request target must have at most \(limit) bytes")
    case .headTooLarge(let limit):
      self.init(.headTooLarge, "the head of the request is too large for the \(limit) bytes of memory per connection")
    case .tooManyConnections(let limit):
      self.init(
        .tooManyConnections, "one address may have at most \(limit) open connections (the setting connectionsPerAddress)",
        headers: ["Retry-After": "1"])
    case .full:
      self.init(
        .overloaded,
        "the maximum number of open connections (the setting connections), or the memory for bodies, is used up; try again later",
        headers: ["Retry-After": "1"])
    case .tooManyStreams(let limit):
      self.init(
        .overloaded, "the maximum of \(limit) streams, seven eighths of the setting connections, is already open; try again later",
        headers: ["Retry-After": "1"])
    case .unsupportedTransferCoding: self.init(.unsupportedTransferCoding, "the only supported transfer coding is chunked")
    case .unsupportedVersion: self.init(.unsupportedVersion, "the protocol must be HTTP/1.1 or HTTP/1.0")
    case .stopping(let seconds):
      self.init(.stopping, "the service is shutting down; try again later", headers: ["Retry-After": String(seconds)])
    case .abandoned: self.init(.internal, "an internal error prevented the processing of the request")
    }
  }

  /// Creates the response to a store's fault. `isArray` is whether the body was an array; the problem's pointers then contain the index of
  /// the element. `url` is the pointer to the link in the body.
  package init(_ fault: StoreFault, isArray: Bool = false, url: String = "/url") {
    switch fault {
    case .unknownSession: self.init(.unknownSession, "the session does not exist")
    case .unknownRevision(let newest):
      self.init(.unknownRevision, "the revision must be from 1 to \(newest), the session's newest")
      problem.revision = newest
    case .historyGone(let first):
      self.init(.historyGone, "the history before revision \(first) was forgotten; read from revision \(first)")
      problem.firstRevision = first
    case .responseForgotten:
      self.init(
        .responseForgotten,
        "a request with this Idempotency-Key was processed, but its response was forgotten together with the history; read the session")
    case .conflict(let current):
      self.init(
        .revisionMismatch, "the session is now at revision \(current.revision), with the ETag \"\(current)\"; read it, then try again",
        headers: ["ETag": "\"\(current)\""])
      problem.revision = current.revision
    case .refused(let refusal, let index, let revision):
      self.init(Problem(refusal, at: isArray ? "/\(index)" : "", url: url))
      problem.index = isArray ? index : nil
      problem.revision = revision == 0 ? nil : revision
    case .keyReused:
      self.init(
        .idempotencyKeyReused,
        "this Idempotency-Key was used for another request, or for a session whose first response was forgotten; use a new key")
    case .noMigration(let old, let new):
      self.init(.noMigration, "no migration leads from the definition \(old.prefix(12)) to \(new.prefix(12)); nothing was changed")
    case .notMigrated(let reason): self.init(.notMigrated, "the session stays on its definition: \(reason)")
    case .definitionChanged(let current, let reason):
      self.init(.definitionChanged, "the session now has the definition \(current.prefix(12)), and \(reason)")
      problem.definition = current
    case .operatorOnly(let what, let index):
      self = Access.operatorOnly(what)
      problem.index = isArray ? index : nil
    case .notImported(let reason): self.init(.invalidSessionFile, "the file cannot be imported; nothing was stored: \(reason)")
    case .queueFull: self.init(.overloaded, "too many requests are waiting; try again later", headers: ["Retry-After": "1"])
    case .contended, .outdated:
      self.init(
        .contended,
        "other requests kept changing the session or the app while this request tried to commit; this request changed nothing; try again later",
        headers: ["Retry-After": "1"])
    case .uncertain:
      self.init(
        .uncertain,
        "the connection to the database was lost during the commit, so the request may or may not have been performed; "
          + "read what the request should have changed, or repeat it with its Idempotency-Key",
        headers: ["Retry-After": "1"])
    case .stopping: self.init(.stopping, "the service is shutting down; try again later", headers: ["Retry-After": "5"])
    case .storage:
      self.init(
        .storage, "the database cannot be read or written at present; this request changed nothing; try again later",
        headers: ["Retry-After": "5"])
    }
  }
}
