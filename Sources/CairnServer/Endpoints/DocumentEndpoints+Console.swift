import CairnCrypto
import CairnAPI
import CairnConsole
import CairnCore
import CairnHTTP

// Serves the console. Its files need no credentials: the page calls the API with the credentials that the user enters.
extension DocumentEndpoints {
  func showConsole(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    guard hasConsole else { throw Rejection(.notFound, "the console is not served, because the setting console is off") }
    let name = call.request.path.dropFirst().joined(separator: "/")
    guard let page = ConsolePage.byName[name] else { throw Rejection(.notFound, "the console has no file with this name") }
    let isKnown = try call.hasCopy(of: page.tag)
    call.answer(Response(status: isKnown ? 304 : 200, headers: page.headers, body: isKnown ? [] : page.file.bytes))
  }
}

/// A file of the console, with its response headers.
private struct ConsolePage: Sendable {
  let file: ConsoleFile
  /// The entity tag, a hash of the file's bytes.
  let tag: String
  let headers: Headers

  /// The files by the part of the path after `/console/`.
  static let byName = Dictionary(uniqueKeysWithValues: ConsoleFile.all.map { ($0.name, ConsolePage($0)) })

  private init(_ file: ConsoleFile) {
    self.file = file
    let tag = String(Hexadecimal.text(of: SHA256.hash(file.bytes)).prefix(24))
    self.tag = tag
    headers = [
      "Content-Type": file.type,
      "ETag": "\"\(tag)\"",
      // Browsers revalidate the file before each use, so that a new build is visible at the next load.
      "Cache-Control": "no-cache",
      "Content-Security-Policy": Self.policy,
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
    ]
  }

  /// The content security policy (Content Security Policy Level 3): the page may load only scripts, styles and data of this service.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src data:", "frame-ancestors 'none'",
    "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")
}
