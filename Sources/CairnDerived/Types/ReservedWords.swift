/// Words that cannot be identifiers in a language, or are used by the generated code.
enum ReservedWords {
  static let swift: Set<String> = words(
    """
    Any Protocol Self Type actor as associatedtype async await borrowing break case catch class consuming continue default defer deinit do each \
    else encode enum extension fallthrough false fileprivate for func guard hash hashValue if import in indirect init inout internal is let nil \
    nonisolated open operator package precedencegroup private protocol public repeat rethrows return self some static struct subscript super \
    switch throw throws true try typealias var where while
    """)

  static let kotlin: Set<String> = words(
    """
    Any Boolean Companion Double Long Map Number Screen Step String as break class companion continue do else equals false for fun hashCode if in \
    interface is null object package return super this throw toString true try typealias typeof val var when while
    """)

  private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}
