import CairnCore
import CairnTesting
import Testing

@testable import CairnServer

/// Validates every response that a test gets through `Workshop.send` against the OpenAPI document.
enum Contract {
  static let document = Document(version: "1.2.3").value

  /// Describes the parts of a response that contradict the document. Empty if the response is valid.
  static func faults(_ method: String, _ target: String, _ reply: Reply) -> [String] {
    let path = target.prefix { $0 != "?" }
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map { Array($0)[...] }
    guard let route = Route.of(segments)?.route, let known = RequestRecord.Method(rawValue: method),
      route.methods(isWritable: true).contains(known), let operation = document.at(["paths", route.template, method.lowercased()])
    else { return [] }
    guard let response = response(operation, reply.status) else { return ["\(reply.status) is not said"] }
    var faults = headers(reply, response)
    guard !reply.text.isEmpty else { return faults }
    let type = reply.headers["content-type"] ?? ""
    guard let content = response["content"]?[type] else { return faults + ["\(type) is not said for \(reply.status)"] }
    if case .array(let codes)? = response["x-problem-codes"] {
      if !codes.contains(reply["code"] ?? .null) { faults.append("\(reply.text) has none of the codes \(codes)") }
      if reply["status"] != .integer(reply.status) { faults.append("\(reply.text) has another status than \(reply.status)") }
    }
    if type.hasSuffix("json"), let schema = content["schema"] {
      let check = SchemaCheck(document: document, isWhole: type != "application/json" || !route.template.hasSuffix("/openapi.json"))
      faults += check.faults(reply.json, schema)
    }
    return faults
  }

  private static func response(_ operation: Value, _ status: Int) -> Value? {
    guard let response = operation.at(["responses", String(status)]) else { return nil }
    guard case .string(let reference)? = response["$ref"] else { return response }
    return document.at(reference.dropFirst(2).split(separator: "/").map(String.init))
  }

  private static func headers(_ reply: Reply, _ response: Value) -> [String] {
    AnswerField.allCases.compactMap { field in
      let isThere = reply.headers[field.rawValue.lowercased()] != nil
      return isThere && response.at(["headers", field.rawValue]) == nil ? "\(field.rawValue) is not said for \(reply.status)" : nil
    }
  }
}
