package import CairnHTTP

/// The declared type of a body.
package enum MediaType {
  /// Whether it is read as JSON here: nothing declared, JSON, or what `curl -d` says of any body; for a file of a notification also
  /// `application/octet-stream`. A charset other than UTF-8, and a compressed body, are not.
  package static func isJSON(_ headers: ReceivedHeaders, isFile: Bool) -> Bool {
    if headers.withOnly("Content-Type", { $0.isEqual(to: "application/json") }) ?? false, !headers.has("Content-Encoding") { return true }
    if let coding = headers["Content-Encoding"], coding.lowercased() != "identity" { return false }
    guard let declared = headers["Content-Type"] else { return true }
    let parts = declared.lowercased().split(separator: ";", omittingEmptySubsequences: false).map { $0.filter { $0 != " " && $0 != "\t" } }
    let type = parts.first ?? ""
    for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
      let charset = parameter.dropFirst(8).filter { $0 != "\"" }
      guard ["utf-8", "utf8", "us-ascii"].contains(charset) else { return false }
    }
    return type.isEmpty || type == "application/json" || type == "application/x-www-form-urlencoded"
      || (type.hasPrefix("application/") && type.hasSuffix("+json")) || (isFile && type == "application/octet-stream")
  }
}
