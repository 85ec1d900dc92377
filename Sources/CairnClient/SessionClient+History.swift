import CairnCore

extension SessionClient {
  /// Returns a page of the history entries after a revision, oldest first; `nil` starts with the oldest entry. `limit` is the maximum
  /// number of entries, from 1 to 1000; `nil` means 100. With a `period`, the page has only the entries in it, and may be empty although more follow.
  public func history(
    after revision: Int? = nil, in period: EntryPeriod = EntryPeriod(), limit: Int? = nil
  ) async throws(ClientError) -> HistoryPage {
    let items = [("after", revision.map { "\($0)" }), ("limit", limit.map { "\($0)" })] + period.items
    return try await requests.get("/history" + Query(items).text).read()
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

/// A period of a history. A time is a UTC time such as `2026-03-01T12:00:00Z`, a day, or an age such as `30d`.
public struct EntryPeriod: Sendable {
  /// The time of an entry that determines whether the entry is in the period.
  public enum Time: String, Sendable, CaseIterable {
    /// The time at which the user acted, according to the client.
    case at
    /// The time at which the service ran the action.
    case receivedAt
  }

  /// The beginning of the period, included; `nil` for no bound.
  public var since: String?
  /// The end of the period, excluded; `nil` for no bound.
  public var until: String?
  public var by: Time

  public init(since: String? = nil, until: String? = nil, by: Time = .receivedAt) {
    self.since = since
    self.until = until
    self.by = by
  }

  /// The items of the query.
  fileprivate var items: [(String, String?)] {
    [("since", since), ("until", until), ("by", since == nil && until == nil || by == .receivedAt ? nil : by.rawValue)]
  }
}
