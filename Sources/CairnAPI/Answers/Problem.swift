package import CairnCore

/// An error as every endpoint answers it (RFC 9457, `application/problem+json`).
package struct Problem: JSONWritable, Hashable, Sendable {
  /// Stable: clients decide by it.
  package var code: String
  package var status: Int
  package var detail: String
  /// Which occurrence it is: the request's id, as in the log.
  package var instance: String?
  package var errors: [Item]?
  /// The index of the refused action in an array, from 0.
  package var index: Int?
  /// The link that takes the URL, where that was planned.
  package var link: LinkBody?
  /// The session's revision, where it says something.
  package var revision: Int?
  /// The actions that can be posted now; after a refusal.
  package var accepts: Acceptance?
  /// Of the request's `traceparent`, if it had a well-formed one.
  package var traceId: String?

  /// One of several things that are wrong.
  package struct Item: DescribedBody, Hashable, Sendable {
    package var detail: String
    /// A JSON Pointer into the body as a URI fragment (RFC 6901, 6).
    package var pointer: String?
    /// A parameter of the query.
    package var parameter: String?
    /// A place in a definition, both from 1.
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
      visitor.maybe("line", body?.line, "In a definition.", as: .whole(from: 1))
      visitor.maybe("parameter", body?.parameter, "A parameter of the query.")
      visitor.maybe("pointer", body?.pointer, "Where in the body: a JSON Pointer as a URI fragment.")
    }
  }

  package init(_ code: ProblemCode, _ detail: String, errors: [Item]? = nil) {
    self.code = code.rawValue
    status = code.status
    self.detail = detail
    self.errors = errors
  }

  /// A refusal by the reducer. `pointer`: where the action stands in the body; `url`: where its link stands in it.
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

  /// A body that was not taken.
  package init(_ fault: BodyFault) {
    switch fault {
    case .notJSON(let text): self.init(.notJSON, text)
    case .wrongShape(let text): self.init(.wrongShape, text)
    case .tooLarge(let text): self.init(.payloadTooLarge, text)
    case .invalid(let faults):
      let summary = faults.count == 1 ? "a member of the body is wrong" : "\(faults.count) members of the body are wrong"
      self.init(.invalid, summary, errors: faults.map { Item($0.detail, pointer: "#\($0.pointer.fragment)") })
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("accepts", ifPresent: accepts)
    writer.member("code", code)
    writer.member("detail", detail)
    writer.member("errors", ifPresent: errors)
    writer.member("index", ifPresent: index)
    writer.member("instance", ifPresent: instance)
    writer.member("link", ifPresent: link)
    writer.member("revision", ifPresent: revision)
    writer.member("status", status)
    writer.member("title", title)
    writer.member("traceId", ifPresent: traceId)
    writer.member("type", "urn:cairn:problem:\(code)")
    writer.endObject()
  }

  /// The code in words: the same for every occurrence, as RFC 9457 wants it.
  package var title: String {
    let words = code.replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension String {
  /// A JSON Pointer as a URI fragment (RFC 6901, 6).
  fileprivate var fragment: String { PercentCoding.encode(self, sparing: PercentCoding.fragment) }
}
