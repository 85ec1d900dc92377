/// The texts of the argument parser, in the form in which they are printed.
enum HelpText {
  /// Returns a text of the argument parser. In help, the headings of groups lose the word "subcommands". With colours, headings are bold,
  /// the names of commands and options are cyan, and the word "Error" is red. Other texts, such as scripts for shells, are returned
  /// unchanged.
  static func printed(_ text: String, hasColour: Bool) -> String {
    let isHelp = text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ")
    guard isHelp || text.hasPrefix("Error: ") else { return text }
    let text = isHelp ? text.replacing(" SUBCOMMANDS:\n", with: ":\n") : text
    guard hasColour else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(isHelp ? coloured : colouredError).joined(separator: "\n")
  }

  /// The names of the options in a help text, with two hyphens.
  static func options(of help: String) -> [String] {
    let labels = help.split(separator: "\n").compactMap(label)
    return labels.flatMap { $0.split { " ,/".contains($0) } }.filter { $0.hasPrefix("--") }.map(String.init)
  }

  private static func coloured(_ line: Substring) -> String {
    if let heading = prefix(of: line, where: { $0.isUppercase || $0 == " " }) {
      return StyledLine.Colour.bold.paint(heading) + rest(line, heading)
    }
    guard let label = label(line) else { return String(line) }
    return "  " + StyledLine.Colour.cyan.paint(label) + line.dropFirst(2 + label.count)
  }

  private static func colouredError(_ line: Substring) -> String {
    guard let word = prefix(of: line, where: \.isLetter), ["Error:", "Help:", "Usage:"].contains(word) else { return String(line) }
    return (word == "Error:" ? StyledLine.Colour.red : .bold).paint(word) + rest(line, word)
  }

  private static func rest(_ line: Substring, _ start: Substring) -> Substring { line.dropFirst(start.count) }

  /// The line up to and including its first colon; `nil` unless all characters before the colon match.
  private static func prefix(of line: Substring, where matches: (Character) -> Bool) -> Substring? {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, line[..<colon].allSatisfy(matches) else { return nil }
    return line[...colon]
  }

  /// The first column of a row, such as `--port <port>`; `nil` if the line is not the first line of a row.
  private static func label(_ line: Substring) -> Substring? {
    guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.hasPrefix("  See '") else { return nil }
    let text = line.dropFirst(2)
    return text.firstRange(of: "  ").map { text[..<$0.lowerBound] } ?? text
  }
}
