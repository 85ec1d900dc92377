extension SessionClient {
  /// A page of the entries behind a revision, oldest first.
  public func history(after revision: Int = 0, limit: Int? = nil) async throws(ClientError) -> HistoryPage {
    try await get("/history" + Query([("after", "\(revision)"), ("limit", limit.map { "\($0)" })]).text).read()
  }

  /// All that happened, as a scenario file that `cairn test` runs.
  public func scenario() async throws(ClientError) -> String {
    String(decoding: try await get("/history" + Query([("as", "scenario")]).text).body, as: UTF8.self)
  }
}
