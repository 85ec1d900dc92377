import CairnHTTP
import CairnServer

/// Header fields that a client can set to any value and to which a proxy appends.
enum FuzzHeaders {
  static func reading(_ bytes: [UInt8]) -> [String] {
    var head = FuzzHead.text(method: Array("GET".utf8), target: Array("/".utf8), FuzzHead.lines(of: bytes[...]))
    guard let target = try? RequestTarget(&head) else { return ["the target / is not taken"] }
    let headers = Request(head: RequestHead(head, target, id: "", remoteAddress: "")).headers
    var broken: [String] = []
    if let key = try? IdempotencyKey(headers) {
      let isPlain = key.text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      if !isPlain || !(1...IdempotencyKey.limit).contains(key.text.utf8.count) { broken.append("a key is not what a key may be") }
    }
    _ = EntityTags(headers.all("If-Match"))?.revisions
    _ = MediaType.isJSON(headers, isFile: true)
    // The preferences that a response confirms must parse to the same preferences, because a proxy or a client reads them.
    if let applied = Preferences(headers).applied, Preferences(applied).applied != applied {
      broken.append("a preference is not confirmed as it was applied")
    }
    for value in headers.all("X-Forwarded-For") where ForwardedFor.nodes(list: ["\(value), \(added)"]).last != added {
      broken.append("a client hides what its proxy adds to a list")
    }
    for value in headers.all("Forwarded") {
      // The last address must be the one that the proxy appended, unless the field is unreadable.
      if let last = ForwardedFor.nodes(forwarded: ["\(value), for=\(added)"]).last ?? nil, last != added {
        broken.append("a client chooses its address")
      }
    }
    return broken
  }

  /// The client's address that the proxy appends.
  private static let added = "192.0.2.7"
}
