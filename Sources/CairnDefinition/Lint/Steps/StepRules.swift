/// The rules about the effects of steps, the creation and the ends of flows, and results.
struct StepRules: LintTopic {
  let lint: Lint

  var findings: [Lint.Finding] {
    idleSteps() + stepsSentAstray() + stepsSentInCircles() + lostScreens() + lostFlows() + goalsThatAreNowhere() + flowsThatStay()
      + flowsThatCannotLeave() + emptyPromises() + unheardResults()
  }
}
