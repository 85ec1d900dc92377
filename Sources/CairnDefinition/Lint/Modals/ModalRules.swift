/// The rules about modals: the nodes that are presented, and the ways in which they are closed.
struct ModalRules: LintTopic {
  let lint: Lint

  var findings: [Lint.Finding] {
    endlessFlows() + endlessScreens() + pushesWithoutStack() + modalsThatStay() + modalsDroppedByLevel() + endlessOverlays()
      + locksThatAreNotSealed() + levelsOfUserAndOffice()
  }
}
