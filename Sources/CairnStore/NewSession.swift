package import CairnCore

/// What starts a session.
package struct NewSession: Sendable {
  package var id: String
  package var definition: PinnedDefinition
  package var label: String?
  package var secretHash: [UInt8]
  /// `hasToken` is set by whether there is an `accessToken`.
  package var creation: Creation
  package var accessToken: String?
  /// The link or notification of a cold start; the creation never fails for it.
  package var arrival: Command?
  /// The operator who starts it, by name.
  package var author: String?

  package init(
    id: String, definition: PinnedDefinition, label: String? = nil, secretHash: [UInt8], creation: Creation,
    accessToken: String? = nil, arrival: Command? = nil, author: String? = nil
  ) {
    self.author = author
    self.id = id
    self.definition = definition
    self.label = label
    self.secretHash = secretHash
    self.creation = creation
    self.accessToken = accessToken
    self.arrival = arrival
  }
}
