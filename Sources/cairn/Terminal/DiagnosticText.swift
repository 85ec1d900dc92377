/// The errors and warnings of definitions, in the form in which they are printed.
enum DiagnosticText {
  /// Returns the text. With colours, the word `error` or `warning` of each line is red or yellow.
  static func printed(_ text: String, hasColour: Bool) -> String {
    guard hasColour else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(coloured).joined(separator: "\n")
  }

  private static func coloured(_ line: Substring) -> String {
    let words: [(text: String, colour: StyledLine.Colour)] = [(" error: ", .red), (" warning: ", .yellow)]
    let found = words.compactMap { word in line.firstRange(of: word.text).map { (range: $0, word: word) } }
    // A message may contain these words too, but after the severity.
    guard let first = found.min(by: { $0.range.lowerBound < $1.range.lowerBound }) else { return String(line) }
    return "\(line[..<first.range.lowerBound])\(first.word.colour.paint(first.word.text))\(line[first.range.upperBound...])"
  }
}
