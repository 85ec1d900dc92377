/// The identity of a request that may be repeated.
package struct RequestKey: Hashable, Sendable {
  /// Of the key that the client chose.
  package var name: Fingerprint
  /// Of all that the request asks for.
  package var print: Fingerprint

  package init(name: Fingerprint, print: Fingerprint) {
    self.name = name
    self.print = print
  }
}
