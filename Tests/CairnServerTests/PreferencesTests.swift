import CairnServer
import Testing

@Suite struct `Prefer field` {
  @Test(
    arguments: [
      ("return=minimal", true, nil), ("Return=\"Minimal\"; x=1", true, nil), ("respond-async,  return = minimal , wait=3", true, 3),
      ("return=representation", false, nil), ("", false, nil), (",;,", false, nil), ("return=minimal2", false, nil),
      ("x;return=minimal", false, nil),
      ("wait=0", false, 0), ("WAIT = \"45\"", false, 45), ("wait=", false, nil), ("wait", false, nil), ("wait=-1", false, nil),
      ("wait=1.5", false, nil),
      ("wait=x, wait=7", false, 7), ("wait=99999999999999999999", false, Int.max), ("grüße=1, wait=2", false, 2),
    ] as [(String, Bool, Int?)])
  func `preferences are parsed without regard to case, parameters and quotes`(field: String, isMinimal: Bool, wait: Int?) {
    #expect(Preferences.askForMinimum(field) == isMinimal)
    #expect(Preferences.wait(field) == wait)
  }
}
