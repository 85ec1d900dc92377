/// The rules about what steps, flows and results lead to.
struct StepRules: LintTopic {
  let lint: Lint

  var findings: [Lint.Finding] {
    idleSteps() + stepsSentAstray() + lostScreens() + lostFlows() + goalsThatAreNowhere() + flowsThatStay() + emptyPromises()
      + unheardResults()
  }
}
