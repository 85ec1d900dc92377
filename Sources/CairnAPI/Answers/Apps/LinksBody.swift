package import CairnCore

/// The links of an app and, if there is one, the link that matches the URL of the request.
package struct LinksBody: DescribedBody, Sendable {
  package var app: String
  /// The definition's hash.
  package var definition: String
  /// The URL of the request; `nil` if the request has no URL.
  package var url: String?
  package var link: LinkBody?
  /// The reason why no link matches the URL; `nil` if a link matches, if the request has no URL, or if `isRedirect` is `true`.
  package var refusal: Refusal?
  /// Whether the OAuth provider redirects to the URL. Such a URL is not matched against the links.
  package var isRedirect: Bool
  /// All links in the order of the file.
  package var links: [LinkBody]

  /// Creates the body for an app's links. `isRedirect` is whether `url` is the redirect URL of the app's OAuth login.
  package init(_ definition: Definition, hash: String, url: String?, isRedirect: Bool = false) {
    app = definition.app
    self.definition = hash
    self.url = url
    self.isRedirect = isRedirect
    links = definition.links.enumerated().map { LinkBody($1, at: $0) }
    guard let url, !isRedirect else { return }
    let found = definition.link(for: SealedURL.escaped(url))
    link = found.taken.map { LinkBody($0, of: definition) }
    refusal = found.refusal
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("app", body?.app)
    visitor.always("definition", body?.definition, "The definition's hash.")
    visitor.maybe(
      "link", body?.url == nil ? nil : LinkOrNull(link: body?.link), "The link that matches the URL; null if none does.",
      as: .orNull(.shared(.takenLink)))
    visitor.always("links", body?.links, as: .list(of: .shared(.takenLink)))
    visitor.maybe(
      "oauth", body?.isRedirect == true ? true : nil, "true if the URL is the redirect URL of the app's OAuth login.", as: .onlyTrue)
    visitor.maybe("refusal", (body?.refusal).map(RefusalBody.init), "The reason why no link matches the URL; missing if one does.")
    visitor.maybe("url", body?.url)
  }

  private struct LinkOrNull: JSONWritable {
    let link: LinkBody?

    func write(to writer: inout JSONWriter) {
      if let link { link.write(to: &writer) } else { writer.null() }
    }
  }

  /// The refusal that a post of the URL would receive.
  private struct RefusalBody: DescribedBody {
    let refusal: Refusal

    static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.always("code", body?.refusal.code.rawValue)
      visitor.always("detail", body?.refusal.detail)
      visitor.always(
        "errors", body?.refusal.faults.map { Problem.Item($0.detail, parameter: "url") }, as: .list(of: .shared(.fault)))
    }
  }
}
