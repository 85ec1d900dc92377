import CairnAPI
import CairnConsole
import CairnCore
import CairnHTTP
import Crypto

// The page for people. It asks for no credential: what it shows it asks the API for, with what is typed into it.
extension Service {
  func showConsole(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    guard settings.hasConsole else { throw Rejection(.notFound, "the console is not served here: its setting is off") }
    guard let page = ConsolePage.byName[call.parameter] else { throw Rejection(.notFound, "the console has no such file") }
    let isKnown = try hasCopy(call, of: page.tag)
    call.answer(Response(status: isKnown ? 304 : 200, headers: page.headers, body: isKnown ? [] : page.file.bytes))
  }
}

/// A file of the console as it is answered.
private struct ConsolePage: Sendable {
  let file: ConsoleFile
  /// Of its bytes: another build's file has another one.
  let tag: String
  let headers: Headers

  /// Each by what stands behind `/console/`.
  static let byName = Dictionary(uniqueKeysWithValues: ConsoleFile.all.map { ($0.name, ConsolePage($0)) })

  private init(_ file: ConsoleFile) {
    self.file = file
    let tag = String(Hexadecimal.text(of: SHA256.hash(data: file.bytes)).prefix(24))
    self.tag = tag
    headers = [
      "Content-Type": file.type,
      "ETag": "\"\(tag)\"",
      // Kept, and asked after each time: a new build is there at the next look.
      "Cache-Control": "no-cache",
      "Content-Security-Policy": Self.policy,
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
    ]
  }

  /// Scripts, styles and responses only from this service, and nothing else from anywhere (Content Security Policy Level 3).
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src data:", "frame-ancestors 'none'",
    "base-uri 'none'", "form-action 'none'",
  ].joined(separator: "; ")
}
