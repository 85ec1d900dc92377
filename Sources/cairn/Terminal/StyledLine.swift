/// A line that consists of parts, each with its own colour.
struct StyledLine: Sendable, ExpressibleByStringLiteral {
  enum Colour: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"

    /// Returns the text with the control sequences that colour it.
    func paint(_ text: some StringProtocol) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
  }

  private var parts: [(text: String, colour: Colour?)] = []

  init() {}

  init(_ text: String, _ colour: Colour? = nil) { add(text, colour) }

  init(stringLiteral text: String) { self.init(text) }

  /// Appends a part. Control characters are escaped.
  mutating func add(_ text: String, _ colour: Colour? = nil) { parts.append((PrintableText.of(text), colour)) }

  /// Returns the text in the form in which it is printed: cut to the width, and with escapes for characters that the output cannot show.
  func text(_ style: DrawingStyle) -> String {
    var room = style.width ?? .max
    let isCut = parts.reduce(0) { $0 + PrintableText.width($1.text) } > room
    let mark = style.isUnicode ? "…" : "~"
    if isCut { room -= 1 }
    var text = ""
    for part in parts {
      let shown = PrintableText.prefix(style.isUnicode ? part.text : PrintableText.ascii(part.text), columns: room)
      room -= PrintableText.width(shown)
      guard !shown.isEmpty else { continue }
      text += style.hasColour ? part.colour?.paint(shown) ?? shown : shown
      if isCut, room == 0 { break }
    }
    return isCut ? text + mark : text
  }
}
