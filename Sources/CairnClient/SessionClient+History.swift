import CairnCore

extension SessionClient {
  /// Returns a page of the history entries after a revision, oldest first; `nil` starts with the oldest entry. `limit` is the maximum
  /// number of entries, from 1 to 1000; `nil` means 100.
  public func history(after revision: Int? = nil, limit: Int? = nil) async throws(ClientError) -> HistoryPage {
    try await requests.get("/history" + Query([("after", revision.map { "\($0)" }), ("limit", limit.map { "\($0)" })]).text).read()
  }

  /// Returns the session's history as a scenario file that `cairn test` runs.
  public func scenario() async throws(ClientError) -> String {
    String(decoding: try await requests.get("/history" + Query([("as", "scenario")]).text).body, as: UTF8.self)
  }

  /// Forgets the session's history before a revision; `nil` means the newest. Returns the first revision that can still be read. Requires an operator's
  /// key.
  public func forget(before revision: Int? = nil) async throws(ClientError) -> Int {
    let body = Value.object(revision.map { ["before": .integer($0)] } ?? [:])
    let answer = try await requests.wire.exchange(Wire.Call("POST", requests.path + "/forget", json: body, credential: secret))
    guard answer.status < 400 else { throw .refused(ServiceProblem(answer)) }
    return try answer.read(as: Forgotten.self).firstRevision
  }

  /// The response to `forget`.
  private struct Forgotten: Decodable {
    var firstRevision: Int
  }
}
