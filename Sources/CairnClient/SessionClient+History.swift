extension SessionClient {
  /// Returns a page of the history entries after a revision, oldest first.
  public func history(after revision: Int = 0, limit: Int? = nil) async throws(ClientError) -> HistoryPage {
    try await get("/history" + Query([("after", "\(revision)"), ("limit", limit.map { "\($0)" })]).text).read()
  }

  /// Returns the session's history as a scenario file that `cairn test` runs.
  public func scenario() async throws(ClientError) -> String {
    String(decoding: try await get("/history" + Query([("as", "scenario")]).text).body, as: UTF8.self)
  }
}
