/// A node that carries the authorize URL of one login.
struct LoginPage {
  private let id: NodeID
  private let authorization: String

  /// The node whose URL has this OAuth state; `nil` if there is none.
  init?(of state: borrowing State, authorization: String) {
    guard let record = state.nodes.records.first(where: { state.nodes.storedDetails(of: $0)?.authorization == authorization }) else {
      return nil
    }
    id = record.nodeID
    self.authorization = authorization
  }

  /// Gives the page a new OAuth state. Its params and content carry the new URL.
  func renew(in run: inout Run) {
    let details = run.state.nodes.details(of: id)
    let (old, new) = ("state=\(authorization)", "state=\(run.stamp.nonce)")
    var content = details.content
    content?.value = details.content?.value.map { $0.replacing(old, by: new) }
    run.state.nodes.setDetails(
      NodeDetails(
        params: details.params.mapValues { $0.replacing(old, by: new) }, content: content, left: details.left, leave: details.leave,
        authorization: run.stamp.nonce, resultReceiver: details.resultReceiver),
      of: id)
  }
}

extension Value {
  /// The value in which `new` stands in the place of `old` in each text.
  fileprivate func replacing(_ old: String, by new: String) -> Value {
    switch self {
    case .string(let text): .string(text.replacingOnce(old, by: new))
    case .array(let elements): .array(elements.map { $0.replacing(old, by: new) })
    case .object(let members): .object(members.mapValues { $0.replacing(old, by: new) })
    case .null, .bool, .integer, .number, .sealed: self
    }
  }
}

extension String {
  /// The text in which `new` stands in the place of the first `old`.
  fileprivate func replacingOnce(_ old: String, by new: String) -> String {
    let (text, part) = (Array(utf8), Array(old.utf8))
    guard !part.isEmpty, text.count >= part.count else { return self }
    for start in 0...(text.count - part.count) where text[start] == part[0] && text[start..<start + part.count] == part[...] {
      return String(decoding: text[..<start], as: UTF8.self) + new + String(decoding: text[(start + part.count)...], as: UTF8.self)
    }
    return self
  }
}
