import CairnCore
public import Foundation

// Requests that copy, export and import sessions. They require an operator key.
extension CairnClient {
  /// Starts a session as a copy of another session at `revision`; `nil` means the newest revision. The copy has a manual clock, no token
  /// and no login.
  public func fork(session id: String, at revision: Int? = nil, label: String? = nil) async throws(ClientError) -> SessionClient {
    var body: [String: Value] = [:]
    body["revision"] = revision.map { Value.integer($0) }
    body["label"] = label.map(Value.string)
    return try await begin(Wire.Call("POST", "/v1/sessions/\(id.segment)/fork", json: .object(body), credential: key))
  }

  /// Returns a session as a file. `key` is 32 bytes in base64, with which the session's secrets are encrypted. Without a key, the secrets
  /// are omitted.
  public func export(session id: String, key fileKey: String? = nil) async throws(ClientError) -> Data {
    let body = Value.object(fileKey.map { ["key": .string($0)] } ?? [:])
    return try await wire.send(Wire.Call("POST", "/v1/sessions/\(id.segment)/export", json: body, credential: key)).body
  }

  /// Starts a session with the history of a file. `key` decrypts the file's secrets; without a key, the secrets are omitted. `label`
  /// replaces the label in the file.
  public func importSession(_ file: Data, key fileKey: String? = nil, label: String? = nil) async throws(ClientError) -> SessionClient {
    var call = Wire.Call("POST", "/v1/sessions/import" + Query([("label", label)]).text, credential: key)
    call.body = file
    call.type = "application/vnd.cairn.session+jsonl"
    call.headers["Session-File-Key"] = fileKey
    return try await begin(call)
  }

  /// Sends a request that starts a session, under a new idempotency key.
  private func begin(_ call: Wire.Call) async throws(ClientError) -> SessionClient {
    var call = call
    call.headers["Idempotency-Key"] = Self.idempotencyKey()
    let created = try await wire.send(call).read(as: SessionView.self)
    guard let secret = created.secret else { throw .malformed("it has a session without a secret") }
    let session = SessionClient(wire: wire, id: created.id, secret: secret, created: created)
    session.seen.note(created.revision, created.visible, created.tree)
    return session
  }
}
