package import CairnCore

/// The links of an app, and which of them takes a URL.
package struct LinksBody: JSONWritable, Sendable {
  package var app: String
  /// The definition's hash.
  package var definition: String
  /// The URL that was tried; `nil` if the request had none.
  package var url: String?
  package var link: LinkBody?
  /// Why none takes it.
  package var refusal: Refusal?
  /// It is where the OAuth provider leads back to, which no link gets.
  package var isRedirect: Bool
  /// In file order.
  package var links: [LinkBody]

  /// `isRedirect`: the URL is where the OAuth provider leads back to, as the service is set.
  package init(_ definition: Definition, hash: String, url: String?, isRedirect: Bool = false) {
    app = definition.app
    self.definition = hash
    self.url = url
    self.isRedirect = isRedirect
    links = definition.links.enumerated().map { LinkBody($1, at: $0) }
    guard let url, !isRedirect else { return }
    let found = definition.link(for: url)
    link = found.taken.map { LinkBody($0, of: definition) }
    refusal = found.refusal
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", app)
    writer.member("definition", definition)
    if url != nil { writer.member("link", orNull: link) }
    writer.member("links", links)
    if isRedirect { writer.member("oauth", true) }
    writer.member("refusal", ifPresent: refusal.map(RefusalBody.init))
    writer.member("url", ifPresent: url)
    writer.endObject()
  }

  /// Why no link takes the URL, as opening it would say.
  private struct RefusalBody: JSONWritable {
    let refusal: Refusal

    func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("code", refusal.code.rawValue)
      writer.member("detail", refusal.detail)
      writer.member("errors", refusal.faults.map { Problem.Item($0.detail, parameter: "url") })
      writer.endObject()
    }
  }
}
