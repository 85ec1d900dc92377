import CairnCore
import CairnDefinition
import Foundation
import Yams

/// The settings in a YAML file.
struct ConfigurationFile {
  /// The values by the settings' names, each with its source as `name (file:line)`.
  var values: [String: (text: String, source: String)] = [:]

  init() {}

  init(path: String) throws(SettingFault) {
    let bytes: Data?
    do {
      bytes = try FileBytes.read(path, atMost: Document.sizeLimit)
    } catch {
      throw .missingFile(path)
    }
    guard let bytes else { throw .malformed(file: path, reason: "the file must have at most \(Document.sizeLimit) bytes") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .malformed(file: path, reason: "the file must be YAML in UTF-8")
    }
    let node: Yams.Node?
    do {
      node = try compose(yaml: Document.withoutByteOrderMark(text))
    } catch YamlError.duplicatedKeysInMapping(let duplicates, _) {
      let names = duplicates.sorted().joined(separator: ", ")
      throw .malformed(file: path, reason: "each setting must be set only once, but these are set more than once: \(names)")
    } catch {
      throw .malformed(file: path, reason: "the file is not YAML: \(Self.reason(of: error))")
    }
    guard let node else { return }
    guard let mapping = node.mapping else {
      // A file that contains only comments is an empty document.
      if node.scalar?.string.isEmpty ?? false { return }
      throw .malformed(file: path, reason: "the file must be a mapping of settings, such as port: 8080")
    }
    for (key, value) in mapping {
      let place = "\(path):\(key.mark?.line ?? 1)"
      let name = key.string ?? ""
      guard let setting = Setting.named(name) else {
        throw .unknownKey(name, place: place, nearest: Setting.renamed[name] ?? NearestName.of(name, among: Setting.all.map(\.name)))
      }
      guard let scalar = value.scalar else {
        throw .badValue(setting, value: "a list or a mapping", source: "\(name) (\(place))", expected: "a single value")
      }
      values[name] = (scalar.string, "\(name) (\(place))")
    }
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
      YamlError.composer(_, let problem, let mark, _):
      "line \(mark.line), column \(mark.column): \(problem)"
    default: "it cannot be read"
    }
  }
}
