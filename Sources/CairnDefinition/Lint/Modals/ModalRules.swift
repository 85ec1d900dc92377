/// The rules about what is presented, and how it is closed.
struct ModalRules: LintTopic {
  let lint: Lint

  var findings: [Lint.Finding] {
    endlessFlows() + endlessScreens() + pushesWithoutStack() + modalsThatStay() + modalsDroppedByLevel()
  }
}
