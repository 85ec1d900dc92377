import CairnHTTP
import CairnJournal

extension RevisionTag {
  /// Returns the `ETag` header of the revision, followed by other headers.
  func headers(with others: Headers? = nil) -> Headers {
    var headers = Headers()
    // The reserved space also suffices for the headers that every response gets later.
    headers.reserve(192)
    withQuoted { headers.add("ETag", legal: $0) }
    if let others { headers.add(others) }
    return headers
  }
}
