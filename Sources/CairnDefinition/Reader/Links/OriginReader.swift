import CairnCore

/// The hosts and schemes of one link, or of `linkDefaults`.
struct LinkOrigins {
  var hosts: [String] = []
  var schemes: [String] = []
}

/// Reads the hosts and schemes of links.
struct OriginReader: PartReader {
  let context: ReaderContext

  /// Reads the members `host` and `scheme`.
  func origins(_ fields: Fields) -> LinkOrigins {
    let hosts = linkHosts(fields["host"])
    return LinkOrigins(hosts: hosts, schemes: schemes(fields["scheme"], hasHosts: !hosts.isEmpty))
  }

  /// Reads the hosts of a link and converts them to lower case. A port is kept.
  private func linkHosts(_ element: Element?) -> [String] {
    var hosts: [String] = []
    for element in oneOrMore(element) {
      guard let text = text(element, "a host") else { continue }
      do {
        let host = try WrittenHost(text)
        if let port = host.port, port == 443 || port == 80 {
          report("`\(port)` is the scheme's default port; remove it", at: element.position)
        }
        hosts.append(host.text)
      } catch {
        switch error {
        case .port(let port):
          report("a port must be a number from 1 to 65535, not \(port.isEmpty ? "empty" : "`\(port)`")", at: element.position)
        case .pattern: report("`\(text)` is not a host; list each host separately, like `www.\(text.withoutPattern)`", at: element.position)
        case .international(let ascii): report("`\(text)` must be written in its ASCII form, `\(ascii)`", at: element.position)
        case .name: report("`\(text)` is not a host; write it without scheme, port and path, like `shop.example`", at: element.position)
        }
      }
    }
    return hosts
  }

  /// Reads the app's own schemes. `http` and `https` are allowed only if the link has hosts.
  private func schemes(_ element: Element?, hasHosts: Bool) -> [String] {
    var schemes: [String] = []
    for element in oneOrMore(element) {
      guard let scheme = text(element, "a scheme")?.lowercased() else { continue }
      let isScheme = scheme.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 || "+.-".unicodeScalars.contains($0) }
      if !isScheme || !(scheme.first?.isLetter ?? false) {
        report("`\(scheme)` is not a scheme; \(Self.schemeRemedy(scheme))", at: element.position)
      } else if (scheme == "http" || scheme == "https") && !hasHosts {
        report("`\(scheme)` is not a custom scheme; list the hosts of its links in `host`", at: element.position)
      } else {
        schemes.append(scheme)
      }
    }
    return schemes
  }

  /// The valid alternative to a text that is not a scheme (RFC 3986, 3.1).
  private static func schemeRemedy(_ text: String) -> String {
    let name = text.prefix { $0 != ":" && $0 != "/" }
    guard name.utf8.contains(UInt8(ascii: "_")) else { return "write it without `://`, like `shop`" }
    return "a scheme has only letters, digits, `+`, `-` and `.`, like `\(name.split(separator: "_").joined(separator: "-"))`"
  }
}

extension String {
  /// The host after `*.`, or an example.
  fileprivate var withoutPattern: String { hasPrefix("*.") ? String(dropFirst(2)) : "shop.example" }
}
