import CairnDefinition
import CairnStore

/// An operator's wish that an app be served with a definition.
struct PutDefinition: Sendable {
  let app: String
  /// YAML, or JSON.
  let text: String
  /// The operator's name.
  let author: String
  /// `If-Match` and `If-None-Match`, of hashes; nil: not given.
  let match: EntityTags?
  let noneMatch: EntityTags?
  let requestID: String
  let reply: @Sendable (Result<Done, Rejection>) -> Void

  /// The result.
  struct Done: Sendable {
    enum Kind { case new, changed, unchanged }

    let kind: Kind
    let definition: PinnedDefinition
    let warnings: [Diagnostic]
  }
}
