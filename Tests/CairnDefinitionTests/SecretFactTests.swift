import CairnDefinition
import Testing

@Suite struct `Facts from the environment` {
  private func warnings(_ variable: String) -> [String] {
    doubts(Doubt.base.replacing("facts: { ", with: "facts: { fromOutside: { type: string, env: \(variable) }, "))
      .filter { $0.contains("plain text") }
  }

  @Test(arguments: ["SHOP_API_KEY", "CLIENT_SECRET", "TOKEN", "DB_PASSWORD"])
  func `a fact named like a secret causes a warning, because the journal stores facts in plain text`(variable: String) {
    let said = warnings(variable)
    #expect(said.count == 1)
    #expect(
      said.first?.contains("the fact `fromOutside` stores `\(variable)` in plain text in every session's journal") ?? false, "\(said)")
  }

  @Test(arguments: ["SHOP_URL", "MONKEY_HOST", "SHOP_TOKEN_CHECK_URL"])
  func `a fact named like an address or a switch causes no warning`(variable: String) { #expect(warnings(variable).isEmpty) }

  @Test(arguments: ["PGPASSWORD", "PGHOST", "PGPASSFILE", "CAIRN_SECRET_KEY", "CAIRN_DATABASE"])
  func `a fact or a header with a variable of the service causes a warning, because it gets no value`(variable: String) {
    let fact = Doubt.base.replacing("facts: { ", with: "facts: { fromOutside: { type: string, env: \(variable) }, ")
    let load = #"load: { get: "https://api.example/x", headers: { X-From: { env: \#(variable) } } }"#
    let push = "{ push: detail, with: { id: $id }"
    let header = Doubt.base.replacing("app: demo", with: "app: demo\nallowHosts: [api.example]")
      .replacing("picked: [{ reveal: home }, \(push) }]", with: "picked: \(push), \(load) }")
    for text in [fact, header] {
      #expect(
        doubts(text).contains { $0.contains("`\(variable)` is reserved for the service, like all variables that begin with `PG`") },
        "\(doubts(text))")
    }
  }
}
