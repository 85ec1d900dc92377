import CairnDefinition
import CairnStore

/// A definition that an operator puts.
struct PutDefinition: Sendable {
  let app: String
  /// The text, in YAML or JSON.
  let text: String
  /// The operator's name.
  let author: String
  /// The hashes in `If-Match` and `If-None-Match`; `nil` if neither field is given.
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
