import Foundation
import Glibc

/// The capabilities of the output: colours, width, characters.
struct DrawingStyle: Sendable {
  /// Whether characters outside ASCII can be printed, such as arrows and the lines of the tree.
  var isUnicode: Bool
  /// Whether colours can be printed. No information is expressed only by a colour.
  var hasColour: Bool
  /// The number of columns; `nil` if lines are not cut.
  var width: Int?

  /// Returns the style for stdout.
  static func current(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> DrawingStyle {
    let columns = environment["COLUMNS"].flatMap { Int($0) } ?? TerminalSize.of(STDOUT_FILENO)?.columns
    let hasColour = hasColour(on: STDOUT_FILENO, environment)
    return DrawingStyle(isUnicode: isUnicode(environment), hasColour: hasColour, width: columns.map { max(20, $0) })
  }

  /// Whether colours can be printed on a descriptor. Only a terminal gets colours, unless `NO_COLOR` (no-color.org) or `TERM=dumb` is set.
  static func hasColour(
    on descriptor: Int32, _ environment: @autoclosure () -> [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    guard isatty(descriptor) == 1 else { return false }
    let environment = environment()
    return (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
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

  /// The size of the terminal on a descriptor; `nil` if the descriptor is not a terminal or does not report a size.
  static func of(_ descriptor: Int32) -> TerminalSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
