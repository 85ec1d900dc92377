import CairnAPI
import CairnCore
import Testing

/// Compares the documented members of bodies with the members that are read. The test takes the latter from the fault for an unknown member.
@Suite struct DescribedBodyTests {
  private static let stranger = "qqqqqqqqqqqqqqqqqqqqqqqq"

  /// The known names in the fault of a body.
  private func known(_ fault: BodyFault) -> Set<String> {
    guard case .invalid(let faults) = fault, let told = faults.first(where: { $0.pointer == "/\(Self.stranger)" }) else { return [] }
    return Set(
      told.detail.replacing("`", with: "").split(separator: "the members are ").last.map { $0.split(separator: ", ").map(String.init) }
        ?? [])
  }

  private func known(_ body: Value, _ read: (Value) throws(BodyFault) -> Void) -> Set<String> {
    var body = body
    body.set(1, at: [Self.stranger])
    do throws(BodyFault) {
      try read(body)
      return []
    } catch {
      return known(error)
    }
  }

  private func names(_ schema: Schema) -> Set<String> {
    guard case .object(let properties)? = schema.value["properties"] else { return [] }
    return Set(properties.keys)
  }

  @Test(arguments: Action.Kind.posted) func `the documented members of an action are those that are read`(kind: Action.Kind) {
    let row = ActionRow[kind]
    var read: Set<String> = []
    for given in row.alternatives.isEmpty ? [nil] : row.alternatives.map({ row.posted[$0].name.description as String? }) {
      var body: Value = ["type": .string(kind.word)]
      if let given { body.set(given == "tab" ? 1 : given == "node" ? "n1" : "x", at: [given]) }
      read.formUnion(known(body) { body throws(BodyFault) in _ = try ActionRequest(body, byOperator: false) })
    }
    // If only the type is known, the fault lists only the type.
    #expect(read == row.schemas.reduce(into: []) { $0.formUnion(names($1.schema)) })
  }

  @Test func `the documented members of a step, a creation and a link are those that are read`() {
    let step = known(["step": "x"]) { body throws(BodyFault) in _ = try ActionRequest(body, byOperator: false) }
    #expect(step == names(ActionRequest.stepSchema))
    let creation = known(["app": "x"]) { body throws(BodyFault) in _ = try CreationRequest(body) }
    #expect(creation == names(CreationRequest.schema))
    let link = known(["url": "x"]) { body throws(BodyFault) in _ = try OpenRequest(body) }
    #expect(link == names(OpenRequest.schema))
  }
}
