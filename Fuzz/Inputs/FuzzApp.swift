/// An app that uses features prone to faults: every container, gestures without guards, a rule that presents, links with typed captures.
enum FuzzApp {
  static let text = """
    app: fuzz
    root: { flow: main, start: begin }
    covered: accept
    primitives: open
    facts:
      count: { type: integer, default: 0 }
      name: string?
    screens:
      home: { emits: [go, pick, close, onward, ask, count, tab, finish] }
      detail: { params: { id: integer, title: string? }, emits: [go, pick, close, count, finish] }
      notice: { emits: [close, finish] }
    steps:
      begin: { internal: true }
      ticked: { internal: true }
      go:
      pick: { id: integer, title: string? }
      close:
      onward:
      ask:
      count:
      tab: { index: integer }
      finish:
    rules:
      - { when: { fact: count, is: 3 }, step: ask }
    flows:
      main:
        container: stack
        handle:
          begin: { push: home, content: { rows: {} }, after: { every: 1s, step: ticked }, load: { value: { x: 1 }, delay: 2s } }
          ticked: { content: { ticks: { add: 1 } }, of: home }
          go: [{ push: { flow: bar } }, { present: { flow: asking }, replace: true }]
          pick: [{ push: detail, with: { id: $id, title: $title }, left: count }, { content: { rows.$id: { add: 1 } }, of: home }]
          close: pop
          onward: { set: [home, { screen: detail, with: { id: 1 } }, { screen: detail, with: { id: 2 } }] }
          ask: { present: notice, style: alert, on: screen, replace: true }
          count: { write: { count: 3, name: $content.name } }
          tab: { select: $index }
          finish: [{ reveal: home }, { clear: [count, name] }]
      bar:
        container: tabs
        tabs: [{ flow: first }, { flow: second }, home]
        handle:
          onward: { tabs: [home, { flow: first }] }
          tab: { select: $index }
      first: { container: stack, root: home }
      second: { container: split, split: { master: [home], detail: home }, handle: { pick: { detail: { screen: detail, with: { id: $id } } } } }
      asking: { container: screen, root: notice, handle: { finish: { end: close }, go: { replace: home } } }
    links:
      - { scheme: fuzz, host: detail, path: "/{id}", step: pick, with: { id: $id } }
      - { hosts: [fuzz.example, www.fuzz.example], path: "/items/{id}", query: [title], steps: [go, { step: pick, with: { id: $id } }] }
    """
}
