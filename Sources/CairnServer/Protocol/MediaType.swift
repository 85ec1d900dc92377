package import CairnHTTP
import CairnStore

/// The media type of a request's body.
package enum MediaType {
  /// Whether the body can be read as a definition. The declared type must be YAML, a type that `isJSON` accepts, or missing.
  package static func isDefinition(_ headers: ReceivedHeaders) -> Bool {
    if isJSON(headers, isFile: false) { return true }
    guard headers["Content-Encoding"].map({ $0.lowercased() == "identity" }) ?? true, let (type, charset) = declared(headers) else {
      return false
    }
    return ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"].contains(type) && isUTF8(charset)
  }

  /// Whether the body can be read as JSON. The declared type must be JSON, missing, or `application/x-www-form-urlencoded`, which `curl -d`
  /// sends with any body. `isFile` also allows `application/octet-stream`, for a file with a notification. Compressed bodies and charsets
  /// other than UTF-8 and its subset ASCII are rejected.
  package static func isJSON(_ headers: ReceivedHeaders, isFile: Bool) -> Bool {
    if headers.withOnly("Content-Type", { $0.isEqual(to: "application/json") }) ?? false, !headers.has("Content-Encoding") { return true }
    if let coding = headers["Content-Encoding"], coding.lowercased() != "identity" { return false }
    guard let (type, charset) = declared(headers) else { return true }
    guard isUTF8(charset) else { return false }
    return type.isEmpty || type == "application/json" || type == "application/x-www-form-urlencoded"
      || (type.hasPrefix("application/") && type.hasSuffix("+json")) || (isFile && type == "application/octet-stream")
  }

  /// Whether the body can be read as a session's file. The declared type must be `SessionFile.mediaType`, `application/octet-stream`,
  /// missing, or `application/x-www-form-urlencoded`, which `curl --data-binary` declares.
  package static func isSessionFile(_ headers: ReceivedHeaders) -> Bool {
    guard headers["Content-Encoding"].map({ $0.lowercased() == "identity" }) ?? true, let (type, charset) = declared(headers) else {
      return headers["Content-Encoding"].map { $0.lowercased() == "identity" } ?? true
    }
    return [SessionFile.mediaType, "application/octet-stream", "application/x-www-form-urlencoded"].contains(type) && isUTF8(charset)
  }

  /// The declared type in lower case, and its charset; `nil` if no type is declared.
  private static func declared(_ headers: ReceivedHeaders) -> (type: String, charset: String?)? {
    guard let declared = headers["Content-Type"] else { return nil }
    let parts = declared.lowercased().split(separator: ";", omittingEmptySubsequences: false).map { $0.filter { $0 != " " && $0 != "\t" } }
    let charset = parts.dropFirst().last { $0.hasPrefix("charset=") }.map { $0.dropFirst(8).filter { $0 != "\"" } }
    return (parts.first ?? "", charset)
  }

  private static func isUTF8(_ charset: String?) -> Bool { charset.map { ["utf-8", "utf8", "us-ascii"].contains($0) } ?? true }
}
