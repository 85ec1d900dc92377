import CairnDefinition
import Testing

@Suite struct `Facts from the environment` {
  private func warnings(_ variable: String) -> [String] {
    doubts(Doubt.base.replacing("facts: { ", with: "facts: { fromOutside: { type: string, env: \(variable) }, "))
      .filter { $0.contains("plain text") }
  }

  @Test(arguments: ["SHOP_API_KEY", "CLIENT_SECRET", "TOKEN", "DB_PASSWORD"])
  func `that are named like a secret are warned of, because the journal keeps them in plain text (D28)`(variable: String) {
    let said = warnings(variable)
    #expect(said.count == 1)
    #expect(said.first?.contains("the fact fromOutside keeps \(variable) in plain text in every session's journal") ?? false, "\(said)")
  }

  @Test(arguments: ["SHOP_URL", "MONKEY_HOST", "SHOP_TOKEN_CHECK_URL"])
  func `that are addresses and switches are not (D28)`(variable: String) { #expect(warnings(variable).isEmpty) }
}
