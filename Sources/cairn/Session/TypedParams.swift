import CairnCore
import Foundation

/// `name=value` of a command line, as values of the types that the app gives them.
enum TypedParams {
  /// Of `movieId=5`: the name, and what is behind the first equals sign; nil: there is none, or no name.
  static func split(_ argument: String) -> (name: String, text: String)? {
    guard let place = argument.firstIndex(of: "="), place > argument.startIndex else { return nil }
    return (String(argument[..<place]), String(argument[argument.index(after: place)...]))
  }

  /// The value of a text. `type`: as in the app's definition, like `integer?`; `nil` for an unknown name. A text that does not fit stays
  /// text: the service reports the error.
  static func value(_ text: String, type: String?) -> Value {
    let read = try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
    guard let type else { return read ?? .string(text) }
    switch (type.hasSuffix("?") ? String(type.dropLast()) : type, read) {
    case ("string", _): return .string(text)
    case ("integer", .integer?), ("number", .integer?), ("number", .number?), ("boolean", .bool?): return read ?? .string(text)
    case ("integer", _), ("number", _), ("boolean", _): return .string(text)
    default: return read ?? .string(text)
    }
  }
}
