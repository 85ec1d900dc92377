import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// Endpoints that copy, export and import a session. Only operators are authorized.
final class CopyEndpoints: Sendable {
  private let store: Store
  private let access: Access
  private let once: OnceReplies
  private let start: SessionStart
  private let publisher: Publisher
  private let threads: OperatorThreads
  /// Maximum size of an exported session's file, in bytes.
  private let fileLimit: Int

  init(
    _ store: Store, _ access: Access, _ once: OnceReplies, _ start: SessionStart, _ publisher: Publisher, _ threads: OperatorThreads,
    fileLimit: Int
  ) {
    self.store = store
    self.access = access
    self.once = once
    self.start = start
    self.publisher = publisher
    self.threads = threads
    self.fileLimit = fileLimit
  }

  func forkSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "forking a session")
    let request = try call.body { body throws(BodyFault) in try ForkRequest(body) }
    let identity = try once.identity(of: call)
    try threads.run(call) { () throws(Rejection) in
      let session = try self.access.session(of: call, on: self.threads)
      let revision = request.revision ?? session.state.revision
      let past = try self.threads.waiting { self.store.session(session.id, at: revision, while: call.isWanted, reply: $0) }
      let state = past.definition.reducer.forked(past.state, at: past.updatedAt)
      let new = NewSession(
        id: identity.id, definition: past.definition, label: request.label, secretHash: Identity.hash(identity.secret),
        start: .state(state, .forked(session: past.id, revision: past.state.revision)), origin: call.origin)
      self.start.run(new, print: identity.print, secret: identity.secret, result: "forked", call)
    }
  }

  func exportSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try access.requireOperator(call, for: "exporting a session")
    let request = try call.body { body throws(BodyFault) in try ExportRequest(body) }
    let crypto = SessionFile.Crypto(key: try request.key.map { text throws(Rejection) in try Self.fileKey(text, pointer: "#/key") })
    try threads.run(call) { () throws(Rejection) in
      let session = try self.access.session(of: call, on: self.threads)
      let file = try self.threads.waiting {
        self.store.export(session.id, file: Identity.fileID(), limit: self.fileLimit, crypto, while: call.isWanted, reply: $0)
      }
      var headers = Headers()
      headers.add("Content-Type", SessionFile.mediaType)
      headers.add("Content-Disposition", "attachment; filename=\"\(session.id).jsonl\"")
      call.answer(Response(status: 200, headers: headers, body: file), result: "exported")
    }
  }

  func importSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let label = query.read(Query.newLabel)
    try query.end()
    try access.requireOperator(call, for: "importing a session")
    if let label, let fault = CreationRequest.fault(ofLabel: label) {
      throw Rejection(.invalid, "label \(fault)", errors: [.init(fault, parameter: "label")])
    }
    let identity = try once.identity(of: call)
    guard MediaType.isSessionFile(call.request.headers) else {
      throw Rejection(
        .unsupportedMediaType, "the body must be \(SessionFile.mediaType), not compressed", headers: ["Accept-Post": SessionFile.mediaType])
    }
    let key = try call.request.headers["Session-File-Key"].map { text throws(Rejection) in try Self.fileKey(text, pointer: nil) }
    try threads.run(call) { () throws(Rejection) in
      let imported = try self.threads.waiting {
        self.store.read(
          call.request.body, SessionFile.Crypto(key: key), id: identity.id, secretHash: Identity.hash(identity.secret), label: label,
          origin: call.origin, through: self.publisher.importChecks, while: call.isWanted, reply: $0)
      }
      self.publisher.noteImport(imported, request: call.requestID, by: call.operatorName ?? "")
      let staged = try self.threads.waiting { self.store.imports.stage(imported, reply: $0) }
      let new = NewSession(staged, origin: call.origin)
      self.start.run(new, print: identity.print, secret: identity.secret, result: "imported", call)
    }
  }

  private static func fileKey(_ text: String, pointer: String?) throws(Rejection) -> [UInt8] {
    if let key = SessionFile.Crypto.key(text) { return key }
    let detail = "must be base64 of 32 bytes"
    guard let pointer else { throw Rejection(.badRequest, "Session-File-Key \(detail)") }
    throw Rejection(.invalid, "key \(detail)", errors: [.init(detail, pointer: pointer)])
  }
}
