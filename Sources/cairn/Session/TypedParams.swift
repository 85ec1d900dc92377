import CairnCore
import Foundation

/// Converts `name=value` arguments to values of the types that the app declares.
enum TypedParams {
  /// Splits an argument such as `movieId=5` at the first equals sign. Returns `nil` if there is no equals sign or no name.
  static func split(_ argument: String) -> (name: String, text: String)? {
    guard let place = argument.firstIndex(of: "="), place > argument.startIndex else { return nil }
    return (String(argument[..<place]), String(argument[argument.index(after: place)...]))
  }

  /// Returns the value of a text. `type` is a type of the app's definition, such as `integer?`; `nil` if the name of the param is unknown.
  /// A text that does not fit the type becomes a string, so that the service reports the error.
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
