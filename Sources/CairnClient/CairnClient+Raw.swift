package import CairnCore

extension CairnClient {
  /// Sends a request for which no typed method exists, with the operator's key. A POST gets a new idempotency key, unless its
  /// actions are numbered. Returns the response even if its status is an error.
  package func exchange(_ method: String, _ path: String, _ body: Value? = nil) async throws(ClientError) -> Wire.Answer {
    var call = Wire.Call(method, path, credential: key)
    if let body { call = try Wire.Call(method, path, json: body, credential: key) }
    if method == "POST", body?["client"] == nil { call.headers["Idempotency-Key"] = Self.idempotencyKey() }
    return try await wire.exchange(call)
  }
}
