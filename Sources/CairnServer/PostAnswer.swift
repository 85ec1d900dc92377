import CairnHTTP
import CairnStore

/// The answer to a post that was performed, before it is bytes.
struct PostAnswer: Sendable {
  var status: Int
  var headers: Headers
  /// The outcome in a word, for the log.
  var result: String
  var body: LazyBody<PostedBody>
}
