/// A node whose params or content contain the authorize URL of one login.
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

  /// Replaces the page's OAuth state and code challenge, also in the URL that the params and the content contain.
  func renew(in run: inout Run) {
    let (old, new) = (LoginNonce(authorization), LoginNonce(run.stamp.nonce))
    var swaps = [(old: "state=\(old.text)", new: "state=\(new.text)")]
    if let past = old.challenge, let challenge = new.challenge {
      swaps.append((old: "code_challenge=\(past)", new: "code_challenge=\(challenge)"))
    }
    let details = run.state.nodes.details(of: id)
    var content = details.content
    content?.value = details.content?.value.map { $0.replacing(swaps) }
    var terms = details.terms
    terms.authorization = new.text
    run.state.nodes.setDetails(
      NodeDetails(params: details.params.mapValues { $0.replacing(swaps) }, facts: details.facts, content: content, terms: terms), of: id)
  }
}

extension Value {
  /// Returns the value with all swaps made in each text that contains all of their old parts. Other texts are unchanged.
  fileprivate func replacing(_ swaps: [(old: String, new: String)]) -> Value {
    switch self {
    case .string(let text):
      var replaced = text
      for swap in swaps {
        guard let next = replaced.replacingOnce(swap.old, by: swap.new) else { return self }
        replaced = next
      }
      return .string(replaced)
    case .array(let elements): return .array(elements.map { $0.replacing(swaps) })
    case .object(let members): return .object(members.mapValues { $0.replacing(swaps) })
    case .null, .bool, .integer, .number, .sealed: return self
    }
  }
}

extension String {
  /// The text with the first `old` replaced by `new`; `nil` if the text does not contain `old`.
  fileprivate func replacingOnce(_ old: String, by new: String) -> String? {
    let (text, part) = (Array(utf8), Array(old.utf8))
    guard !part.isEmpty, text.count >= part.count else { return nil }
    for start in 0...(text.count - part.count) where text[start] == part[0] && text[start..<start + part.count] == part[...] {
      return String(decoding: text[..<start], as: UTF8.self) + new + String(decoding: text[(start + part.count)...], as: UTF8.self)
    }
    return nil
  }
}
