import CairnAPI
import CairnServer
import CairnTesting
import Testing

@Suite struct `Prefer field` {
  @Test(
    arguments: [
      ("return=minimal", true, nil), ("Return=\"Minimal\"; x=1", true, nil), ("respond-async,  return = minimal , wait=3", true, 3),
      ("return=representation", false, nil), ("", false, nil), (",;,", false, nil), ("return=minimal2", false, nil),
      ("x;return=minimal", false, nil), ("x=\"return=minimal\"", false, nil), ("x=\"a,return=minimal\"", false, nil),
      ("x=\"a\\\",return=minimal\"", false, nil), ("return=min\timal", true, nil), ("return=\"min imal\"", false, nil),
      ("wait=0", false, 0), ("WAIT = \"45\"", false, 45), ("wait=", false, nil), ("wait", false, nil), ("wait=-1", false, nil),
      ("wait=1.5", false, nil), ("wait=4=5", false, nil), ("wait;x=7", false, nil), ("wait=3;x=7;y", false, 3),
      ("wait=99999999999999999999", false, Int.max), ("grüße=1, wait=2", false, 2), ("wait=\"3", false, 3),
    ] as [(String, Bool, Int?)])
  func `preferences are parsed without regard to case, parameters and quotes`(field: String, isMinimal: Bool, wait: Int?) {
    let preferences = Preferences(field)
    #expect(preferences.isMinimal == isMinimal && preferences.wait == wait)
  }

  @Test(
    arguments: [
      ("include=facts", "facts"), ("include=\"facts accepts pending\"", "accepts facts pending"),
      ("Include=\"  PENDING\t expiresat  pending\";x", "expiresAt pending"), ("include=\"facts, login\"", "login"),
      ("include=\"facts what now\"", "facts now"), ("include=\"login\",return=minimal", "login"), ("include=\"updatedAt", "updatedAt"),
      ("include=\"\(SessionMembers.allNames.joined(separator: " "))\"", "accepts definition expiresAt facts login now pending updatedAt"),
      ("include", ""), ("include=", ""), ("include=\"\"", ""), ("include=\"tree stack revision secret id\"", ""), ("x;include=facts", ""),
      ("x=\"include=facts\"", ""),
    ])
  func `the members to include are separated by blanks, and unknown ones are ignored`(field: String, names: String) {
    #expect(Preferences(field).included.names == names)
  }

  @Test func `of a repeated preference the first with a known value counts`() {
    let repeated = Preferences("return=representation, return=minimal, wait=x, wait=7, wait=8, include=facts, include=login")
    #expect(!repeated.isMinimal && repeated.wait == 7 && repeated.included == .facts)
    #expect(Preferences("return=other, return=minimal").isMinimal)
  }

  @Test(
    arguments: [
      ("", nil), ("wait=3, include=tree", nil), ("RETURN=minimal", "return=minimal"), ("include=facts", "include=\"facts\""),
      ("include=\"login x facts\";a, y, return=\"minimal\"", "return=minimal, include=\"facts login\""),
    ] as [(String, String?)])
  func `what was applied is confirmed in one field`(field: String, applied: String?) { #expect(Preferences(field).applied == applied) }

  @Test func `any mutation of a field is parsed, and what it confirms is parsed as the same`() {
    let alphabet = Array("\",;= \\\tétA").map(String.init) + ["return=minimal", "include=", "facts", "wait=9"]
    var chance = Chance(seed: 21)
    for _ in 0..<20_000 {
      let field = (0..<chance.below(13)).map { _ in chance.pick(alphabet) }.joined()
      let preferences = Preferences(field)
      #expect(preferences.applied == preferences.applied.flatMap { Preferences($0).applied }, "\(field)")
    }
  }
}
