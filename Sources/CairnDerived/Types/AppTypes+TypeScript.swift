import CairnCore

// Writes the types of an app in TypeScript: unions of object types in the form of the JSON.
extension AppTypes {
  var typeScript: String {
    var lines = header.map { "// \($0)" }
    lines += ["", "/** Any JSON value. */"]
    lines.append("export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };")
    for set in sets {
      lines += ["", "/** The set \(set.name). */", "export type \(set.type) = \(set.values.map(literal).joined(separator: " | "));"]
    }
    lines +=
      ["", "/** A step that may be posted. */"]
      + union("Step", steps) { step in
        let params = object(step.fields, orNull: true)
        let isNeeded = step.fields.contains { !$0.isOptional }
        return "{ step: \(quoted(step.name)); params\(isNeeded ? "" : "?"): \(params); from?: string }"
      }
    lines +=
      ["", "/** A screen of the stack, with its params. */"]
      + union("Screen", screens) { screen in
        let params = object(screen.fields, orNull: false)
        let isThere = screen.fields.contains { !$0.isOptional }
        return "{ screen: \(quoted(screen.name)); params\(isThere ? "" : "?"): \(params) }"
      }
    lines += ofFlows.flatMap { flows($0, $1, $2) }
    lines += ["", "/** The facts that a session shows. */"] + interface("Facts", facts, orNull: false, further: ["accessToken: boolean"])
    lines +=
      ["", "/** The facts that a session's own client may set. */"] + interface("ClientFacts", facts.filter(\.isClients), orNull: true)
    lines += ["", "export type StepName = Step[\"step\"];", "export type ScreenName = Screen[\"screen\"];"]
    lines += ["export type StepParams<Name extends StepName> = Extract<Step, { step: Name }>[\"params\"];"]
    lines += ["export type ScreenParams<Name extends ScreenName> = Extract<Screen, { screen: Name }>[\"params\"];"]
    return lines.joined(separator: "\n") + "\n"
  }

  private func union(_ name: String, _ shapes: [Shape], _ text: (Shape) -> String) -> [String] {
    guard !shapes.isEmpty else { return ["export type \(name) = never;"] }
    var lines = ["export type \(name) ="] + shapes.map { "  | \(text($0))" }
    lines[lines.count - 1] += ";"
    return lines
  }

  private func flows(_ name: String, _ about: String, _ shapes: [Shape]) -> [String] {
    return ["", "/** \(about) */", "export interface \(name) {"]
      + shapes.map { "  \(quoted($0.name)): \(object($0.fields, orNull: false));" } + ["}"]
  }

  private func interface(_ name: String, _ fields: [Field], orNull isNullable: Bool, further: [String] = []) -> [String] {
    let members = further + fields.map { member($0, orNull: isNullable) }
    return members.isEmpty
      ? ["export type \(name) = Record<string, never>;"] : ["export interface \(name) {"] + members.map { "  \($0);" } + ["}"]
  }

  private func object(_ fields: [Field], orNull isNullable: Bool) -> String {
    fields.isEmpty ? "Record<string, never>" : "{ \(fields.map { member($0, orNull: isNullable) }.joined(separator: "; ")) }"
  }

  private func member(_ field: Field, orNull isNullable: Bool) -> String {
    let isNull = isNullable && field.type.isOptional && (field.type.kind != .any || field.type.allowed != nil)
    return "\(quoted(field.name))\(field.isOptional ? "?" : ""): \(type(field.type))\(isNull ? " | null" : "")\(rules(of: field))"
  }

  private func rules(of field: Field) -> String { field.rules.map { " /* \($0.replacing("*/", with: "*\\/")) */" } ?? "" }

  private func type(_ definition: ParameterDefinition) -> String {
    if let allowed = definition.allowed {
      return allowed.name.flatMap { setTypes[$0] } ?? allowed.values.map(literal).joined(separator: " | ")
    }
    return switch definition.kind {
    case .string: "string"
    case .integer, .number: "number"
    case .boolean: "boolean"
    case .list: list(of: definition.bounds?.item ?? ParameterDefinition(.any))
    case .any: "Json"
    }
  }

  private func list(of item: ParameterDefinition) -> String {
    let type = type(item)
    return type.contains(" ") ? "(\(type))[]" : "\(type)[]"
  }

  private func literal(_ value: Value) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .array(let elements): "[\(elements.map(literal).joined(separator: ", "))]"
    case .object(let members):
      "{ \(members.sortedByKey.map { "\(quoted($0.key)): \(literal($0.value))" }.joined(separator: "; ")) }"
    default: value.shortText
    }
  }

  private func quoted(_ text: String) -> String { text.quoted { "\\u\($0.hexadecimal)" } }
}
