import CairnCore
import CairnDefinition

/// An app without findings, and variants with one fault each.
struct SeededApp {
  /// The faults that can be inserted.
  enum Fault: String, CaseIterable {
    case deadLogin, holeInTheLock, growingStack, unreachableBranch, linkNeverResumed, droppedStep, stepLoop, brokenPromise
  }

  /// The definition with one fault, or without any if `fault` is `nil`.
  static func text(_ fault: Fault? = nil) -> String {
    // With the fault, no flow handles the end of the login, so the login stays.
    let loginIsOver = fault == .deadLogin ? "[]" : "[{ write: { isIn: true } }, { set: shop }]"
    // With the fault, the notice shows the shop even if the app is locked.
    let noticeIsDue =
      fault == .holeInTheLock ? "{ do: { set: shop } }" : "{ when: { not: { fact: isLocked } }, do: { set: shop } }"
    let tick =
      fault == .growingStack
      ? "{ when: { not: { flow: nowhere } }, do: { push: hint } }" : "{ when: { not: { visible: hint } }, do: { push: hint } }"
    let branch = fault == .unreachableBranch ? "{ all: [{ visible: home }, { flow: login }] }" : "{ param: kind, is: sale }"
    // With the fault, the condition of the link never holds.
    let requires = fault == .linkNeverResumed ? "{ flow: nowhere }" : "{ fact: isIn }"
    let dropped = fault == .droppedStep ? "{ send: noteIsWritten, to: current }" : "[]"
    let looped = fault == .stepLoop ? "{ send: circleIsDrawn }" : "[]"
    let promised = fault == .brokenPromise ? "{ reveal: hint }" : "popToRoot"
    return """
      app: seeded
      language: 1
      compat: { words: [end, listen] }
      root: { flow: root }
      facts:
        isIn: { type: boolean, default: false }
        isLocked: { type: boolean, default: false }
      screens:
        start: { emits: [codeIsGiven] }
        home: { emits: [kindIsPicked, lockIsRequired, noteIsTaken, circleIsDrawn, returnIsRequired, askingIsRequired] }
        list: { params: { kind: string }, emits: [returnIsRequired] }
        hint: { emits: [returnIsRequired] }
        pin: { emits: [pinIsRight] }
        asking: { emits: [] }
        sale: { emits: [] }
      steps:
        codeIsGiven:
        loginIsOver:
        kindIsPicked: { kind: string }
        lockIsRequired:
        pinIsRight:
        hintIsDue:
        noticeIsDue:
        noteIsTaken:
        noteIsWritten:
        circleIsDrawn:
        returnIsRequired:
        askingIsRequired:
      flows:
        root:
          switch: [login, shop, lock, nowhere]
          handle:
            loginIsOver: \(loginIsOver)
            noticeIsDue:
              - \(noticeIsDue)
            lockIsRequired: [{ write: { isLocked: true } }, { set: lock }]
            pinIsRight: [{ write: { isLocked: false } }, { set: shop }]
        login: { stack: start, handle: { codeIsGiven: { end: loginIsOver } } }
        lock: { stack: pin }
        nowhere: { stack: pin }
        shop:
          stack: { screen: home, listen: { hidden: true }, timer: { every: 10s, send: hintIsDue } }
          handle:
            kindIsPicked:
              - { when: \(branch), do: { push: sale } }
              - { do: { push: list, with: { kind: $kind } } }
            hintIsDue:
              - \(tick)
              - { do: [] }
            noteIsTaken: \(dropped)
            circleIsDrawn: \(looped)
            returnIsRequired: \(promised)
            askingIsRequired: { present: asking }
      links:
        - { scheme: seeded, path: "/notice", requires: \(requires), send: noticeIsDue }
      """
  }

  static let claims = """
    - name: the lock covers everything
      always: { when: { fact: isLocked }, then: { visible: pin } }
    - name: there is a way home
      reachable: { from: any, to: { visible: home } }
    """

  static func definition(_ fault: Fault? = nil) throws -> Definition {
    try DefinitionLoader.load(file: "seeded.yaml", text: text(fault), limits: .none).definition
  }

  static func claims(about definition: Definition) throws -> [Claim] {
    try DefinitionLoader.claims(Document.read(file: "claims", text: claims), about: definition, file: "claims")
  }
}
