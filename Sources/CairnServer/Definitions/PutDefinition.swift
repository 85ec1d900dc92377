import CairnDefinition
import CairnJournal

/// An operator's request to serve an app with a definition.
struct PutDefinition: Sendable {
  let app: String
  /// The definition as YAML or JSON.
  let text: String
  /// The operator's name.
  let author: String
  /// The entity tags of `If-Match` and `If-None-Match`, which contain definition hashes; `nil` if the request does not have the header.
  let match: EntityTags?
  let noneMatch: EntityTags?
  let requestID: String
  /// Whether new sessions begin with the definition. If `false`, the definition is only stored, for a rollout.
  var isServed = true
  /// Whether the definition is accepted even if the service accepts definitions only from its folder. A rollout sets it, because its
  /// definitions have already been accepted or served.
  var wasServed = false
  /// The rollout that is stored in the same commit as the definition; `nil` if no rollout is stored.
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
