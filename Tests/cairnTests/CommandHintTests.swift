import ArgumentParser
import Testing

@testable import cairn

@Suite struct `Misspelt commands and shell completion` {
  @Test func `the nearest command or subcommand is suggested`() {
    #expect(CommandHint.text(["sesion", "show"]) == "the command cairn sesion does not exist; did you mean cairn session?")
    #expect(CommandHint.text(["session", "stpe"]) == "the command cairn session stpe does not exist; did you mean cairn session step?")
    #expect(CommandHint.text(["session", "step", "sho"]) == nil && CommandHint.text(["--help"]) == nil && CommandHint.text([]) == nil)
    #expect(CommandHint.text(["session", "--help"]) == nil && CommandHint.text(["help"]) == nil)
    #expect(CommandHint.text(["init", "app"]) == "the command cairn init does not exist; cairn --help lists the commands")
    #expect(CommandHint.text(["hlep"]) == "the command cairn hlep does not exist; did you mean cairn help?")
    #expect(CommandHint.text(["rollout", "stat"]) == "the command cairn rollout stat does not exist; did you mean cairn rollout start?")
  }

  @Test func `help suggests the nearest command too, and ignores no unknown one`() {
    #expect(CommandHint.text(["help", "serv"]) == "the command cairn serv does not exist; did you mean cairn serve?")
    #expect(
      CommandHint.text(["help", "session", "stpe"]) == "the command cairn session stpe does not exist; did you mean cairn session step?")
    #expect(CommandHint.text(["help", "zzz"]) == "the command cairn zzz does not exist; cairn --help lists the commands")
    #expect(CommandHint.text(["help", "session", "step"]) == nil && CommandHint.text(["help", "help"]) == nil)
  }

  @Test func `an option that is written as a command is suggested with its hyphens`() {
    #expect(CommandHint.text(["version"]) == "the command cairn version does not exist; did you mean cairn --version?")
    #expect(CommandHint.path(["rollout", "show", "shop", "--wait"]) == "cairn rollout show" && CommandHint.path([]) == "cairn")
  }

  /// The hint for an option, together with the message of the argument parser.
  private func hint(_ arguments: String...) throws -> (hint: String?, message: String) {
    let error = try #require(throws: (any Error).self) { try CairnCommand.parseAsRoot(arguments) }
    let message = CairnCommand.message(for: error)
    return (CommandHint.option(arguments, message: message), message)
  }

  @Test func `the nearest option is suggested by the argument parser, or if it suggests none`() throws {
    let port = try hint("serve", "--prot", "8080")
    #expect(port.message == "Unknown option '--prot'. Did you mean '--port'?" && port.hint == nil)
    let missing = try hint("rollout", "start", "shop", "--too=abc")
    #expect(missing.hint == "the option --too of cairn rollout start does not exist; did you mean --to?", "\(missing.message)")
    #expect(try hint("check", "--strct").hint == "the option --strct of cairn check does not exist; did you mean --strict?")
    #expect(try hint("session", "show", "--hepl").hint == "the option --hepl of cairn session show does not exist; did you mean --help?")
    #expect(try hint("check", "--nothing-like-it").hint == nil && hint("check").hint == nil)
    #expect(try hint("rollout", "start", "--", "--too").hint == nil)
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
