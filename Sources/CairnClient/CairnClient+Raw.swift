package import CairnCore

extension CairnClient {
  /// Sends what the typed calls have no name for, with the operator's key; a POST under a key of its own. Gives the answer with whatever status.
  package func exchange(_ method: String, _ path: String, _ body: Value? = nil) async throws(ClientError) -> Wire.Answer {
    var call = Wire.Call(method, path, credential: key)
    if let body { call = try Wire.Call(method, path, json: body, credential: key) }
    if method == "POST" { call.headers["Idempotency-Key"] = Self.idempotencyKey() }
    return try await wire.exchange(call)
  }
}
