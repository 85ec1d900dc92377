import Foundation
import Glibc

/// The capabilities of the output: colours, width, characters.
struct DrawingStyle: Sendable {
  /// Whether lines, arrows and letters other than ASCII can be printed.
  var isUnicode: Bool
  /// Whether colours can be printed. No information is expressed only by a colour.
  var hasColour: Bool
  /// The number of columns; `nil` if lines are not cut.
  var width: Int?

  /// Returns the style for stdout. Only a terminal gets colours, unless `NO_COLOR` (no-color.org) or `TERM=dumb` is set.
  static func current(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> DrawingStyle {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let hasColour = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    let columns = environment["COLUMNS"].flatMap { Int($0) } ?? (isTerminal ? TerminalSize.current?.columns : nil)
    return DrawingStyle(isUnicode: isUnicode(environment), hasColour: hasColour, width: columns.map { max(20, $0) })
  }

  /// Whether the environment sets UTF-8 as the character encoding. The first nonempty variable in the list determines the encoding (POSIX,
  /// XBD 8.2).
  private static func isUnicode(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }.first?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}

/// The size of a terminal in characters.
struct TerminalSize: Sendable {
  var columns: Int
  var rows: Int

  /// The size of the terminal on stdout; `nil` if stdout is not a terminal or does not report a size.
  static var current: TerminalSize? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
