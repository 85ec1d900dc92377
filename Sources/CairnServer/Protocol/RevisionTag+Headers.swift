import CairnHTTP
import CairnJournal

extension RevisionTag {
  /// The `ETag` header of the revision, followed by other headers.
  func headers(with others: Headers? = nil) -> Headers {
    var headers = Headers()
    // Reserves space for the headers that every response gets later, too.
    headers.reserve(192)
    withQuoted { headers.add("ETag", legal: $0) }
    if let others { headers.add(others) }
    return headers
  }
}
