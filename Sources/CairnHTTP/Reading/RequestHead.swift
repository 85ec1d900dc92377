/// A request's head, shared by all copies of the request. Its parts are converted to strings on demand.
package final class RequestHead: Sendable {
  let text: HeadText
  /// The decoded path segments and the query. Both are empty if the target could not be read.
  let target: RequestTarget
  let id: String
  let remoteAddress: String

  /// Creates a head with its decoded target.
  package init(_ text: HeadText, _ target: RequestTarget, id: String, remoteAddress: String) {
    self.text = text
    self.target = target
    self.id = id
    self.remoteAddress = remoteAddress
  }

  /// The path of the target up to the first `?`, not decoded.
  var rawPath: ArraySlice<UInt8> { text[text.target].dropFirst(target.pathStart).prefix { $0 != UInt8(ascii: "?") } }
}
