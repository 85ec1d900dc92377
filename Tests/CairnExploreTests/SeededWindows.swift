import CairnCore
import CairnDefinition

/// An app with a lock and a queue on a level, a form that asks, a question and links that wait, which holds; and the same with faults.
struct SeededWindows {
  /// What can be wrong with it.
  enum Fault: String, CaseIterable {
    case holeInTheLock, linkNeverResumed, modalNeverShown, leaveNeverLetsGo, resultIsTakenByNobody
  }

  /// The definition with one fault; nil: with none.
  static func text(_ fault: Fault? = nil) -> String {
    // It rings over the lock.
    let level = fault == .holeInTheLock ? 10 : 9
    // The condition of the second link is never met.
    let requires = fault == .linkNeverResumed ? "{ all: [{ visible: home }, { visible: pin }] }" : "{ not: { screen: pin } }"
    // The unlocking step closes the modal that waits below the lock.
    let pinIsRight = fault == .modalNeverShown ? "[{ dismiss: bell }, { dismiss: pin }]" : "{ dismiss: pin }"
    let formIsLeft = fault == .leaveNeverLetsGo ? "none" : "{ end: formIsOver }"
    let choiceIsKnown = fault == .resultIsTakenByNobody ? "" : "choiceIsKnown: { set: [home, note], keep: true }"
    return """
      app: windows
      root: { flow: main }
      screens:
        home: { emits: [choiceIsRequired, formIsRequired] }
        note: { emits: [] }
        pin: { emits: [pinIsRight] }
        bell: { emits: [] }
        page: { emits: [] }
        sure: { emits: [formIsLeft, formIsKept] }
        choice: { emits: [choiceIsMade] }
      steps:
        appIsHidden: { internal: true }
        appIsBack: { internal: true }
        lockIsDue: { internal: true }
        pinIsRight:
        bellRings: { internal: true }
        bellIsOver: { internal: true }
        noteIsTaken: { internal: true }
        formIsRequired:
        leaveIsAsked: { internal: true }
        formIsLeft:
        formIsKept:
        formIsOver: { internal: true }
        choiceIsRequired:
        choiceIsMade: { id: integer }
        choiceIsKnown: { internal: true }
      rules:
        - { when: { fact: appState, is: background }, step: appIsHidden }
        - { when: { fact: appState, is: foreground }, step: appIsBack }
      linkDefaults: { scheme: windows, held: 2 }
      links:
        - { path: /bell, step: bellRings, to: root }
        - { path: /note, requires: { not: { screen: pin } }, step: noteIsTaken, to: root }
        - { path: /form, requires: \(requires), step: formIsRequired, to: root }
      flows:
        main:
          container: stack
          root: home
          handle:
            appIsHidden: [{ cancel: lock }, { after: { in: 2m, step: lockIsDue, name: lock }, on: flow }]
            appIsBack: { cancel: lock }
            lockIsDue:
              - { unless: { screen: pin }, do: { present: pin, style: fullScreen, level: 9, leave: none } }
            pinIsRight: \(pinIsRight)
            bellRings:
              - { when: { all: [{ screen: pin }, { not: { screen: bell } }] }, do: { present: bell, level: \(level), queue: true, after: { in: 60s, step: bellIsOver } } }
              - { do: none }
            bellIsOver: dismiss
            noteIsTaken: { set: [home, note], keep: true }
            formIsRequired:
              - { unless: { flow: form }, do: { present: { flow: form, leave: leaveIsAsked } } }
            formIsOver: { dismiss: form }
            choiceIsRequired: { push: { flow: choosing, then: choiceIsKnown } }
            \(choiceIsKnown)
        form:
          container: stack
          root: page
          handle:
            leaveIsAsked: { present: sure, style: alert }
            formIsLeft: \(formIsLeft)
            formIsKept: none
        choosing: { container: stack, root: choice, gives: { id: integer }, handle: { choiceIsMade: { give: { id: $id } } } }
      """
  }

  static let claims = """
    - name: the lock covers everything
      always: { when: { screen: pin }, then: { visible: pin } }
    - name: there is a way home
      reachable: { from: any, to: { visible: home } }
    """

  static func definition(_ fault: Fault? = nil) throws -> Definition {
    try DefinitionLoader.load(file: "windows.yaml", text: text(fault), limits: .none).definition
  }

  static func claims(about definition: Definition) throws -> [Claim] {
    try DefinitionLoader.claims(Document.read(file: "claims", text: claims), about: definition, file: "claims")
  }
}
