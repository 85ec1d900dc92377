#if !CLIENT_ENGINE
  // Separates the secrets of links and notifications.
  extension SecretParams.Sealing {
    /// If a link with a secret matches the URL, returns the URL in normal form with the number of each secret capture instead of its text. The parts
    /// that the link does not read are omitted, because they may repeat the secret. Returns any other URL with each `…` escaped.
    ///
    /// The service also stores URLs that match a link without a secret, such as a link for all other paths. Of the URLs that no link
    /// matches, it stores those of notifications (`isNotified`), and those for which the definition sends a step (`unmatched`). If a link
    /// with a secret nearly matches such a URL, `{name}` replaces each secret, and the query is removed. All other URLs are refused and not
    /// stored.
    mutating func sealed(url text: String, _ definition: Definition, isNotified: Bool = false) throws(Refusal) -> String {
      let text = SealedURL.escaped(text)
      guard let url = LinkURL(text) else { return text }
      if let (link, captures) = definition.sealingLink(of: url) { return try sealed(url, definition, link, captures) }
      let near = definition.links.firstIndex { link in link.names.contains { definition.isSecret($0, of: link) } && link.mayTake(url) }
      guard let near else { return text }
      let isKept = definition.link(taking: url, where: { _ in true }).place.map { near < $0 } ?? (isNotified || definition.unmatched != nil)
      return isKept ? Self.text(of: url, definition.links[near], definition) { name, _ in "{\(name)}" } : text
    }

    /// Returns the normal form of a URL that a link matches, with numbers instead of the secret captures. Throws if a secret is too long,
    /// or if there are too many secrets.
    private mutating func sealed(
      _ url: LinkURL, _ definition: Definition, _ link: LinkDefinition, _ captures: [String: String]
    ) throws(Refusal) -> String {
      var text = try Self.text(of: url, link, definition) { _, segment throws(Refusal) in
        SealedURL.text(of: try number(of: segment, at: "/url"))
      }
      var separator = "?"
      for name in link.query {
        guard let value = captures[name] else { continue }
        let isSecret = definition.isSecret(name, of: link)
        text += "\(separator)\(PercentCoding.encodeForm(name))="
        text += isSecret ? SealedURL.text(of: try number(of: value, at: "/url")) : PercentCoding.encodeForm(value)
        separator = "&"
      }
      return text
    }

    /// The text of a URL without its query. For each secret segment, `replacement` receives the name of the capture and the segment, and
    /// returns the text to write instead.
    private static func text<Failure: Error>(
      of url: LinkURL, _ link: LinkDefinition, _ definition: Definition,
      _ replacement: (_ name: String, _ segment: String) throws(Failure) -> String
    ) throws(Failure) -> String {
      var text = url.origin
      let segments = url.segments
      for (place, segment) in segments.enumerated() {
        if place > 0 || url.isWeb { text += "/" }
        if place < link.path.count, let name = link.path[place].name, definition.isSecret(name, of: link) {
          text += try replacement(name, segment)
        } else {
          text += PercentCoding.encode(segment)
        }
      }
      // A link ignores only one slash at the end of a path. If there are two, both are written.
      return segments.last?.isEmpty == true ? text + "/" : text
    }

    /// Returns the contents of a notification with numbers instead of secrets. A value that is not a text cannot become a secret, and is removed.
    /// A value that may be opened as a URL is treated like the notification's own URL.
    mutating func sealed(_ message: Action.Message, _ definition: Definition) throws(Refusal) -> Action.Message {
      var sealed = message
      for (name, value) in message.values.sortedByKey {
        let pointer = definition.notifications.values[name]?.pointers.first ?? ""
        if definition.isSecret(notified: name) {
          if case .sealed = value { continue }
          sealed.values[name] = if case .string(let text) = value { .sealed(try number(of: text, at: pointer)) } else { nil }
        } else if definition.isURL(notified: name), case .string(let url) = value {
          sealed.values[name] = .string(try self.sealed(url: url, definition, isNotified: true))
        }
      }
      if let reply = message.reply, definition.isSecret(notified: NotificationDefinition.reply) {
        sealed.values[NotificationDefinition.reply] = .sealed(try number(of: reply, at: "/reply"))
        sealed.reply = "…"
      }
      return sealed
    }
  }

  extension Definition {
    /// The link whose secrets are replaced in a URL, and the captures; `nil` if there is none. The conditions of links have not been
    /// evaluated yet. So if a matching link has a condition, the search continues after this link.
    fileprivate func sealingLink(of url: LinkURL) -> (link: LinkDefinition, captures: [String: String])? {
      var passed: Set<Guard> = []
      while case let found = link(taking: url, where: { !passed.contains($0) }), let place = found.place {
        let link = links[place]
        if found.captures.contains(where: { isSecret($0.key, of: link) }) { return (link, found.captures) }
        guard let when = link.when else { return nil }
        passed.insert(when)
      }
      return nil
    }
  }

  extension LinkURL {
    fileprivate var isWeb: Bool { scheme == "https" || scheme == "http" }

    /// The text before the first of `segments`.
    fileprivate var origin: String { isWeb ? "\(scheme)://\(host)" : host.isEmpty ? "\(scheme):/" : "\(scheme)://" }

    /// The segments that are matched against a link: those of the path, preceded by the host if the scheme is a custom one.
    fileprivate var segments: [String] { (isWeb || host.isEmpty ? [] : [host]) + path }
  }

  extension LinkDefinition {
    /// The names of the captures.
    fileprivate var names: [String] { path.compactMap { $0.name } + query }

    /// Whether the scheme, the host and the path match a URL. True even if a query item cannot be decoded.
    fileprivate func mayTake(_ url: LinkURL) -> Bool {
      do throws(BadEscape) {
        return try captures(from: url) != nil
      } catch {
        return true
      }
    }
  }
#endif
