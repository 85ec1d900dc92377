import CairnAPI
import CairnCore

extension Document {
  /// The problems that every endpoint may return.
  static let common: [ProblemCode] = [
    .badRequest, .crossOrigin, .payloadTooLarge, .targetTooLong, .invalid, .headTooLarge, .rateLimited, .tooManyConnections, .internal,
    .unsupportedTransferCoding, .overloaded, .stopping, .unsupportedVersion,
  ]

  /// The OpenAPI responses with the problems of `common`, by status.
  static var commonResponses: [String: Value] {
    Dictionary(grouping: common.map(ProblemMeaning.init), by: \.status).reduce(into: [:]) { responses, group in
      responses[String(group.key)] = response(group.value, group.key)
    }
  }

  /// Returns the OpenAPI response of a status, with these problem codes and the additional headers `further`.
  static func response(_ codes: [ProblemMeaning], _ status: Int, _ further: [AnswerField] = []) -> Value {
    let words = codes.map(\.code)
    return [
      "description": .string(codes.map { "\($0.code): \($0.text)" }.joined(separator: "; ") + "."),
      "headers": headers(fields(of: status) + further),
      "content": [
        "application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]
      ],
      // The codes are an extension instead of a schema, because generators would create a type for each response.
      "x-problem-codes": .array(words.map(Value.string)),
    ]
  }

  /// References to these headers and to `X-Request-Id`.
  static func headers(_ fields: [AnswerField]) -> Value {
    let all = (fields + [.requestID]).map { ($0.rawValue, ["$ref": .string("#/components/headers/\($0.rawValue)")] as Value) }
    return .object(Dictionary(all) { _, last in last })
  }

  private static func fields(of status: Int) -> [AnswerField] {
    switch status {
    case 401: [.authenticate]
    case 405: [.allow]
    case 412: [.eTag]
    case 429, 503: [.retryAfter]
    default: []
    }
  }
}
