/// A request's head, shared by its readers. A part becomes a String on request.
package final class RequestHead: Sendable {
  let text: HeadText
  /// The decoded segments of the path, and the query; both empty where the target could not be read.
  let target: RequestTarget
  let id: String
  let remoteAddress: String

  /// A head that was read.
  package init(_ text: HeadText, _ target: RequestTarget, id: String, remoteAddress: String) {
    self.text = text
    self.target = target
    self.id = id
    self.remoteAddress = remoteAddress
  }

  /// The target's path, up to its first `?`, not decoded.
  var rawPath: ArraySlice<UInt8> { text[text.target].dropFirst(target.pathStart).prefix { $0 != UInt8(ascii: "?") } }
}
