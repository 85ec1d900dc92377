/// A request's head. Its parts become strings on access.
package final class RequestHead: Sendable {
  let text: HeadText
  /// The decoded segments of the path, and the query. Both are empty if the target is malformed.
  let target: RequestTarget
  let id: String
  let remoteAddress: String

  /// Creates a head from its parsed parts.
  package init(_ text: HeadText, _ target: RequestTarget, id: String, remoteAddress: String) {
    self.text = text
    self.target = target
    self.id = id
    self.remoteAddress = remoteAddress
  }

  /// The target's path up to the first `?`, without decoding.
  var rawPath: ArraySlice<UInt8> { text[text.target].dropFirst(target.pathStart).prefix { $0 != UInt8(ascii: "?") } }
}
