import CairnCore

/// The readiness of the service and of each of its parts.
package struct ReadinessBody: DescribedBody, Hashable, Sendable {
  package var ready: Bool
  package var parts: [Part]

  package struct Part: DescribedBody, Hashable, Sendable {
    package var name: String
    package var ok: Bool
    /// The fault if the part is not ready, or a warning if it is ready; `nil` if there is neither.
    package var detail: String?

    package init(_ name: String, fault: String? = nil, note: String? = nil) {
      self.name = name
      ok = fault == nil
      detail = fault ?? note
    }

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.maybe("detail", body?.detail, "The reason why the part is not ready, or a warning about a ready part.")
      visitor.always("name", body?.name)
      visitor.always("ok", body?.ok)
    }
  }

  package init(_ parts: [Part]) {
    self.parts = parts
    ready = parts.allSatisfy(\.ok)
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("parts", body?.parts)
    visitor.always("ready", body?.ready)
  }

  package static var about: String { "Readiness of the service and of each of its parts." }
  package static var firstRequired: [String] { ["ready"] }

  /// One line per part: `[+]journal ok`, `[+]definitions ok: a note` or `[-]journal failed: why`.
  package var text: String {
    parts.map { part in
      part.ok
        ? "[+]\(part.name) ok\(part.detail.map { ": \($0)" } ?? "")\n" : "[-]\(part.name) failed: \(part.detail ?? "no details")\n"
    }.joined()
  }
}
