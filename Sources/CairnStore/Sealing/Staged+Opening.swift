import CairnCore
import CairnJournal

extension Staged {
  /// Returns the commands with their sealed values replaced by the texts. Throws `refused` if a value cannot be opened.
  func opened(_ commands: [Command], _ parts: StoreParts, meter: inout Meter) throws(StoreFault) -> [Command] {
    let definition = session.definition
    guard definition.reducer.hasSecretParams else { return commands }
    var opened = commands
    for (index, command) in commands.enumerated() {
      do throws(Refusal) {
        opened[index] = try parts.sealing.opened(command, in: session.id, by: definition.definition, at: parts.clock.now(), meter: &meter)
      } catch {
        throw .refused(error, index: index, revision: session.state.revision)
      }
    }
    return opened
  }
}
