package import CairnCore

/// The error response of every endpoint (RFC 9457, `application/problem+json`).
package struct Problem: DescribedBody, Hashable, Sendable {
  /// The stable code by which clients distinguish problems.
  package var code: String
  package var status: Int
  package var detail: String
  /// The id of the request, as in the log. It identifies the occurrence of the problem.
  package var instance: String?
  package var errors: [Item]?
  /// The index of the refused action in an array, from 0; `nil` if there is no array.
  package var index: Int?
  /// The link that matches the URL, in the response to a plan; otherwise `nil`.
  package var link: LinkBody?
  /// The session's newest revision, if the request was refused, did not match it, or named an unknown revision; otherwise `nil`.
  package var revision: Int?
  /// The hash of the session's definition, if the request was made for another definition; otherwise `nil`.
  package var definition: String?
  /// The first revision that can be read, if the request asked for an earlier revision; otherwise `nil`.
  package var firstRevision: Int?
  /// The actions that can be posted now, after a refusal; otherwise `nil`.
  package var accepts: Acceptance?
  /// The trace id of the request's `traceparent` header; `nil` if the header is missing or malformed.
  package var traceId: String?

  /// One fault in a request or a definition.
  package struct Item: DescribedBody, Hashable, Sendable {
    package var detail: String
    /// The place of the fault in the body, as a JSON Pointer in a URI fragment (RFC 6901, 6); `nil` if the fault has no place in a body.
    package var pointer: String?
    /// The name of the faulty query parameter; `nil` if the fault is not in a query parameter.
    package var parameter: String?
    /// The line and column of the fault in a definition or a migration, both from 1; `nil` for a fault without this position.
    package var line: Int?
    package var column: Int?

    package init(_ detail: String, pointer: String? = nil, parameter: String? = nil, line: Int? = nil, column: Int? = nil) {
      self.detail = detail
      self.pointer = pointer
      self.parameter = parameter
      self.line = line
      self.column = column
    }

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.maybe("column", body?.column, as: .whole(from: 1))
      visitor.always("detail", body?.detail)
      visitor.maybe("line", body?.line, "Line in the posted definition or migration, from 1.", as: .whole(from: 1))
      visitor.maybe("parameter", body?.parameter, "Name of the query parameter.")
      visitor.maybe("pointer", body?.pointer, "Place in the body, as a JSON Pointer in a URI fragment.")
    }
  }

  package init(_ code: ProblemCode, _ detail: String, errors: [Item]? = nil) {
    self.code = code.rawValue
    status = code.status
    self.detail = detail
    self.errors = errors
  }

  /// Creates the problem of a refused action. `pointer` is the JSON Pointer of the action in the body. `url` is the pointer of the link's
  /// URL within the action.
  package init(_ refusal: Refusal, at pointer: String = "", url: String = "/url") {
    code = refusal.code.rawValue
    status = refusal.code.status
    detail = refusal.detail
    errors =
      refusal.faults.isEmpty
      ? nil
      : refusal.faults.map { fault in
        Item(fault.detail, pointer: "#\(pointer)\((fault.pointer == "/url" ? url : fault.pointer).fragment)")
      }
  }

  /// Creates the problem of a body that was rejected.
  package init(_ fault: BodyFault) {
    switch fault {
    case .notJSON(let text): self.init(.notJSON, text)
    case .wrongShape(let text): self.init(.wrongShape, text)
    case .tooLarge(let text): self.init(.payloadTooLarge, text)
    case .invalid(let faults):
      let summary = faults.count == 1 ? "a member of the body is invalid" : "\(faults.count) members of the body are invalid"
      self.init(.invalid, summary, errors: faults.map { Item($0.detail, pointer: "#\($0.pointer.fragment)") })
    }
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.maybe("accepts", body?.accepts, as: .shared(.acceptance))
    visitor.always("code", body?.code, "The stable code by which clients distinguish problems.", as: codes)
    visitor.maybe("definition", body?.definition, "Only with definition-changed: the hash of the session's current definition.")
    visitor.always("detail", body?.detail, "A human-readable explanation of the problem, with a remedy if there is one.")
    visitor.maybe(
      "errors", body?.errors,
      "The faults of the request. If there are many, only the first are listed, and a last element contains the number of the others.",
      as: .list(of: .shared(.fault)))
    visitor.maybe(
      "firstRevision", body?.firstRevision, "The first revision that can be read; present if the request named an earlier one.",
      as: .whole(from: 1))
    visitor.maybe(
      "index", body?.index, "Index, from 0, of the refused action. Present in predictions, and in the response to an array of actions.",
      as: .whole(from: 0))
    visitor.maybe("instance", body?.instance, "The id of the request, as in the log.")
    visitor.maybe(
      "link", body?.link, "Only in the response to a plan (`?plan`): the app's link that matches the URL.", as: .shared(.takenLink))
    visitor.maybe("revision", body?.revision, as: .shared(.revision))
    visitor.always("status", body?.status, as: .whole(from: 400, to: 599))
    visitor.always("title", body?.title, "The code in words.")
    visitor.maybe("traceId", body?.traceId, as: .text(like: "^[0-9a-f]{32}$"))
    visitor.always(
      "type", (body?.code).map { "urn:cairn:problem:\($0)" }, "The code as a URI.", as: .text(like: "^urn:cairn:problem:[a-z-]+$"))
  }

  package static var about: String { "An error (RFC 9457)." }
  package static var firstRequired: [String] { ["type", "title", "status", "code", "detail"] }

  /// Every code with its meaning.
  private static let codes = Schema.words(ProblemMeaning.all.map(\.code)).with(
    "x-enum-descriptions", .array(ProblemMeaning.all.map { .string($0.text) }))

  /// The words of the code as a title. The title is the same for every occurrence of the code, as RFC 9457 (3.1.3) recommends.
  package var title: String {
    let words = code.replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension String {
  /// A JSON Pointer as a URI fragment (RFC 6901, 6).
  fileprivate var fragment: String { PercentCoding.encode(self, sparing: PercentCoding.fragment) }
}
