package import CairnCore

/// Whether requests are welcome, by part.
package struct ReadinessBody: JSONWritable, Hashable, Sendable {
  package var ready: Bool
  package var parts: [Part]

  package struct Part: JSONWritable, Hashable, Sendable {
    package var name: String
    package var ok: Bool
    /// Why not; or what has to be looked at although requests are welcome.
    package var detail: String?

    package init(_ name: String, fault: String? = nil, note: String? = nil) {
      self.name = name
      ok = fault == nil
      detail = fault ?? note
    }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("detail", ifPresent: detail)
      writer.member("name", name)
      writer.member("ok", ok)
      writer.endObject()
    }
  }

  package init(_ parts: [Part]) {
    self.parts = parts
    ready = parts.allSatisfy(\.ok)
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("parts", parts)
    writer.member("ready", ready)
    writer.endObject()
  }

  /// One line a part: `[+]journal ok`, `[+]definitions ok: a note` or `[-]journal failed: why`.
  package var text: String {
    parts.map { part in
      part.ok
        ? "[+]\(part.name) ok\(part.detail.map { ": \($0)" } ?? "")\n" : "[-]\(part.name) failed: \(part.detail ?? "no details")\n"
    }.joined()
  }
}
