/// The rules about modals and stacks: the nodes that are presented or pushed, and the ways in which they are closed.
struct ModalRules: LintTopic {
  let lint: Lint

  var findings: [Lint.Finding] {
    endlessFlows() + endlessScreens() + pushesWithoutStack() + modalsThatStay() + modalsDroppedByLevel() + endlessOverlays()
      + locksThatAreNotSealed() + levelsOfUserAndOffice()
  }
}
