import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

// Reads the body and the preconditions of a request.
extension Call {
  /// Parses the body as JSON and converts it with `make`. `isFile` allows the media type `application/octet-stream`. Throws the problem of
  /// a malformed body.
  func body<Result>(isFile: Bool = false, as make: (JSONElement) throws(BodyFault) -> Result) throws(Rejection) -> Result {
    guard MediaType.isJSON(request.headers, isFile: isFile) else {
      throw Rejection(
        .unsupportedMediaType, "the body must be application/json in UTF-8, not compressed",
        headers: ["Accept-Post": "application/json"])
    }
    return try Self.taken { () throws(BodyFault) in try JSONBody.read(request.body, make) }
  }

  /// Returns the result of `read`, or throws its error as a problem.
  static func taken<Result>(_ read: () throws(BodyFault) -> Result) throws(Rejection) -> Result {
    do throws(BodyFault) {
      return try read()
    } catch {
      throw Rejection(Problem(error))
    }
  }

  /// The revisions that `If-Match` allows; `nil` if the header is missing or allows any revision. Throws if the header is malformed.
  func expectedRevisions() throws(Rejection) -> [RevisionTag]? {
    try tags("If-Match")?.revisions
  }

  /// Whether `If-None-Match` contains the tag of this revision, so that the client already has the revision.
  func hasCopy(of tag: RevisionTag) throws(Rejection) -> Bool {
    request.headers.has("If-None-Match") ? try hasCopy(of: tag.description) : false
  }

  /// Whether `If-None-Match` contains this entity tag.
  func hasCopy(of tag: String) throws(Rejection) -> Bool {
    try tags("If-None-Match")?.match(tag) ?? false
  }

  /// Returns the entity tags of a header field; `nil` if the request does not contain the field. Throws if the field is malformed.
  func tags(_ field: StaticString) throws(Rejection) -> EntityTags? {
    let values = request.headers.all(field)
    guard !values.isEmpty else { return nil }
    guard let tags = EntityTags(values) else {
      throw Rejection(.badRequest, "\(field) must be * or a list of entity tags such as \"8-5f3a9c21\", in quotes")
    }
    return tags
  }
}
