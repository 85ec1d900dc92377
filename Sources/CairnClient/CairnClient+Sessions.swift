import CairnAPI
import CairnCore
import Foundation

// Requests that affect many sessions. They require an operator key.
extension CairnClient {
  /// Returns a page of the sessions that match a filter, in order of creation. `limit` is the maximum number of sessions, from 1 to 1000;
  /// `nil` means 100. `after` is the `next` of the previous page; if `after` is given, `filter` and `limit` are ignored, because `next`
  /// contains them.
  public func sessions(_ filter: SessionFilter = SessionFilter(), limit: Int? = nil, after: String? = nil) async throws(ClientError)
    -> SessionPage
  {
    let path = after ?? "/v1/sessions" + Query(filter.parameters + [("limit", limit.map { "\($0)" })]).text
    return try await wire.send(Wire.Call("GET", path, credential: key)).read()
  }

  /// Ends all sessions that match a filter, which must not be empty. Returns the number of sessions that were ended.
  @discardableResult
  public func endSessions(_ filter: SessionFilter) async throws(ClientError) -> Int {
    var path: String? = "/v1/sessions" + Query(filter.parameters).text
    var count = 0
    while let next = path {
      let ended = try await wire.send(Wire.Call("DELETE", next, credential: key)).read(as: EndedBody.self)
      count += ended.ended
      path = ended.next
    }
    return count
  }
}
