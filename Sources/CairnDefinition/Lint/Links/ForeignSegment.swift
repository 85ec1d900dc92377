import CairnCore

/// A literal segment of a link's path that no URL can contain, or that has the syntax of another router.
enum ForeignSegment {
  /// `.` or `..`, which no resolved URL contains.
  case dots
  /// Percent-encoded text. The URL's segment is decoded before it is compared.
  case escaped(String)
  /// Another router's pattern, and the equivalent capture.
  case pattern(String)

  /// Reads a segment. Returns `nil` if the text is an ordinary segment.
  init?(_ text: String) {
    if text == "." || text == ".." {
      self = .dots
    } else if let capture = Self.capture(text) {
      self = .pattern(capture)
    } else if let decoded = PercentCoding.decode(text), decoded != text {
      self = .escaped(decoded)
    } else {
      return nil
    }
  }

  /// The capture, such as `{id}`, that corresponds to a pattern such as `:id`, `<int:id>`, `[id]`, `*rest` or `.*`; `nil` for other texts.
  private static func capture(_ text: String) -> String? {
    switch text {
    case ".*", "(.*)", ".+", "(.+)": return "{rest...}"
    case "[^/]+", "([^/]+)", "\\d+", "(\\d+)", "\\w+", "(\\w+)": return "{id}"
    default: break
    }
    let inner = text.dropFirst().dropLast()
    switch (text.first, text.last) {
    // The placeholder of Express, Rails, React Navigation and Vue.
    case (":", _): return named(text.dropFirst())
    case ("*", _): return named(text.dropFirst()).map(rest)
    // The placeholder of Flask and Django.
    case ("<", ">"):
      let parts = inner.split(separator: ":", maxSplits: 1)
      return parts.last.flatMap(named).map { parts.count == 2 && parts[0] == "path" ? rest($0) : $0 }
    // The placeholder of Spring, FastAPI and axum.
    case ("{", "}"):
      let name = inner.prefix { $0 != ":" }
      return name.hasPrefix("*") ? named(name.drop { $0 == "*" }).map(rest) : named(name)
    // The placeholder of Next.js, Expo Router and SvelteKit.
    case ("[", "]"):
      if inner.first == "[", inner.last == "]" {
        return capture(String(inner)).map { $0.hasSuffix("...}") ? $0 : "{\($0.dropFirst().dropLast())?}" }
      }
      return inner.hasPrefix("...") ? named(inner.dropFirst(3)).map(rest) : named(inner)
    default: return nil
    }
  }

  /// The capture of a name that may be followed by `?`, `*`, `+` or a condition in parentheses; `nil` if the text has another form.
  private static func named(_ text: Substring) -> String? {
    let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard let first = name.first, !first.isNumber else { return nil }
    switch text[name.endIndex...] {
    case "": return "{\(name)}"
    case "?": return "{\(name)?}"
    case "*", "+", "(.*)", "(.*)*": return "{\(name)...}"
    case let condition where condition.hasPrefix("(") && condition.hasSuffix(")"): return "{\(name)}"
    default: return nil
    }
  }

  private static func rest(_ capture: String) -> String { capture.hasSuffix("...}") ? capture : "{\(capture.dropFirst().dropLast())...}" }
}
