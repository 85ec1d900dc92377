import Foundation
import Glibc

/// The capabilities of the output: colours, width, characters.
struct DrawingStyle: Sendable {
  /// Lines, arrows and letters beyond ASCII.
  var isUnicode: Bool
  /// Colours; never the only thing that says something.
  var hasColour: Bool
  /// Columns; nil: lines are not cut.
  var width: Int?

  /// The style for stdout. Only a terminal gets colours, and not with `NO_COLOR` (no-color.org) or `TERM=dumb`.
  static func current(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> DrawingStyle {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let hasColour = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    let columns = environment["COLUMNS"].flatMap { Int($0) } ?? (isTerminal ? TerminalSize.current?.columns : nil)
    return DrawingStyle(isUnicode: isUnicode(environment), hasColour: hasColour, width: columns.map { max(20, $0) })
  }

  /// The first of these that is set says which letters there are (POSIX, XBD 8.2).
  private static func isUnicode(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }.first?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}

/// How large a terminal is.
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
