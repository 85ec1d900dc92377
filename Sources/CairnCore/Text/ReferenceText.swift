/// The texts of published descriptions, which an engine in a client does not need.
enum ReferenceText {
  @inline(__always)
  static func of(_ text: @autoclosure () -> String) -> String {
    #if CLIENT_ENGINE
      ""
    #else
      text()
    #endif
  }
}
