import CairnDefinition
import CairnJournal

/// An operator's request to serve an app with a definition.
struct PutDefinition: Sendable {
  let app: String
  /// The definition as YAML or JSON.
  let text: String
  /// The operator's name.
  let author: String
  /// `If-Match` and `If-None-Match`, which contain definition hashes; `nil` if the request has no such header.
  let match: EntityTags?
  let noneMatch: EntityTags?
  let requestID: String
  /// Whether new sessions begin with the definition. If not, it is only stored, for a rollout.
  var isServed = true
  /// Whether the app was served with the definition before, so that it is not new to the service.
  var wasServed = false
  /// The rollout that is stored together with the definition, which is then served from one commit on; `nil` if there is none.
  var rollout: RolloutChange?
  let reply: @Sendable (Result<Done, Rejection>) -> Void

  /// The result of a successful put.
  struct Done: Sendable {
    enum Kind { case new, changed, unchanged }

    let kind: Kind
    let definition: PinnedDefinition
    let warnings: [Diagnostic]
  }
}
