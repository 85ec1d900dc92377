import ArgumentParser
import Testing

@testable import cairn

@Suite struct `Misspelt commands and shell completion` {
  @Test func `the nearest command or subcommand is suggested`() {
    #expect(CommandHint.text(["sesion", "show"]) == "the command cairn sesion does not exist; did you mean cairn session?")
    #expect(CommandHint.text(["session", "stpe"]) == "the command cairn session stpe does not exist; did you mean cairn session step?")
    #expect(CommandHint.text(["session", "step", "sho"]) == nil && CommandHint.text(["--help"]) == nil && CommandHint.text([]) == nil)
    #expect(CommandHint.text(["session", "--help"]) == nil && CommandHint.text(["zzz"]) == nil && CommandHint.text(["help"]) == nil)
  }

  @Test func `options before the completed word are used for the completion`() {
    let options = SessionCompletion.options(["cairn", "session", "step", "--url", "http://h", "--session=one", ""])
    #expect(options.url == "http://h" && options.session == "one" && options.key == nil)
  }

  @Test(arguments: ["session show -- --session", "session new -- positional@0", "session step -- positional@0"])
  func `completion scripts call the binary for sessions, apps and steps`(_ call: String) {
    #expect(CairnCommand.completionScript(for: .bash).contains("---completion \(call)"))
  }
}
