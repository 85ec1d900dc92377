import CairnAPI
import CairnCore

extension Endpoint {
  /// The OpenAPI operation of the endpoint. `isWithExamples` is false for an app's document, because the examples belong to another app.
  func operation(examples isWithExamples: Bool) -> Value {
    var operation: Value = [
      "operationId": .string(id), "tags": [.string(topic.rawValue)], "summary": .string(summary), "security": security,
      "responses": .object(responses),
    ]
    if !about.isEmpty { operation.set(.string(about), at: ["description"]) }
    let fields = headers.map { ["name": .string($0.name), "in": "header", "schema": $0.schema.value] as Value }
    operation.set(
      .array(query.map(Document.parameter) + [["$ref": "#/components/parameters/pretty"]] + fields), at: ["parameters"])
    if let body { operation.set(requestBody(body, isWithExamples ? examples : []), at: ["requestBody"]) }
    return operation
  }

  private var security: Value {
    switch who {
    case .anyone: id == "startSession" ? [[:], ["operator": []]] : []
    case .session: [["session": []], ["operator": []]]
    case .operator: [["operator": []]]
    case .ticket: [["session": []], ["operator": []], ["ticket": []]]
    case .operatorTicket: [["operator": []], ["ticket": []]]
    }
  }

  private func requestBody(_ body: Body, _ examples: [Example]) -> Value {
    var content: [String: Value] = [:]
    if let schema = body.schema { content["application/json"] = ["schema": schema.value] }
    for (type, schema) in body.others { content[type] = ["schema": schema.value] }
    let shown = examples.map { ($0.name, ["summary": .string($0.summary), "value": $0.body] as Value) }
    if let schema = body.schema, !shown.isEmpty {
      content["application/json"] = ["schema": schema.value, "examples": .object(Dictionary(uniqueKeysWithValues: shown))]
    }
    return ["required": true, "content": .object(content)]
  }

  /// The OpenAPI responses by status, for success and for problems.
  private var responses: [String: Value] {
    var responses = answers.reduce(into: [String: Value]()) { $0[String($1.status)] = $1.value }
    for (status, codes) in Dictionary(grouping: reported, by: \.status) where responses[String(status)] == nil {
      let isCommon = codes.allSatisfy { code in Document.common.contains { $0.rawValue == code.code } }
      responses[String(status)] = isCommon ? ["$ref": .string("#/components/responses/\(status)")] : Document.response(codes, status, kept)
    }
    return responses
  }

  /// The additional headers of a problem that is stored with an idempotency key.
  private var kept: [AnswerField] {
    isRefusable && headers.contains(.idempotencyKey) || headers.contains(.secretKey) ? [.idempotencyExpires, .idempotencyReplayed] : []
  }

  /// All problems that the endpoint can return.
  var reported: [ProblemMeaning] {
    let own = (problems + Document.common).map(ProblemMeaning.init)
    return isRefusable ? own + ProblemMeaning.refusals.filter { !own.contains($0) } : own
  }
}

extension Endpoint.Reply {
  /// The response as an OpenAPI response object.
  var value: Value {
    var reply: Value = ["description": .string(about), "headers": Document.headers(headers)]
    for content in contents { reply.set(content.schema.value, at: ["content", content.type, "schema"]) }
    for (name, data) in events {
      for content in contents { reply.set(data.reference.value, at: ["content", content.type, "x-events", name]) }
    }
    return reply
  }
}
