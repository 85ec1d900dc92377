import CairnAPI
import CairnCore
import Foundation

// The operator's.
extension CairnClient {
  /// The sessions that a filter takes, by creation; `after`: the `next` of the page before.
  public func sessions(_ filter: SessionFilter = SessionFilter(), limit: Int? = nil, after: String? = nil) async throws(ClientError)
    -> SessionPage
  {
    let path = after ?? "/v1/sessions" + Query(filter.parameters + [("limit", limit.map { "\($0)" })]).text
    return try await wire.send(Wire.Call("GET", path, credential: key)).read()
  }

  /// Ends all sessions that a filter takes, which may not be empty; gives how many there were.
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
