package import CairnJournal

/// The idempotency key of a request, with a fingerprint of the request.
package struct RequestKey: Hashable, Sendable {
  /// The fingerprint of the key that the client chose.
  package var name: Fingerprint
  /// The fingerprint of the whole request.
  package var print: Fingerprint

  package init(name: Fingerprint, print: Fingerprint) {
    self.name = name
    self.print = print
  }
}
