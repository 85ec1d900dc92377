import CairnCore

extension PartReader {
  /// The elements of a list; empty if the element is missing or null. Any other value is reported.
  func list(_ element: Element?, _ what: String) -> [Element] {
    guard let element, !element.isNull else { return [] }
    guard let list = element.list else {
      report("\(what) must be a list, not \(article(element.kindName))", at: element.position)
      return []
    }
    return list
  }

  /// The elements of a list, or the element itself if it is not a list.
  func oneOrMore(_ element: Element?) -> [Element] { element.map { $0.list ?? [$0] } ?? [] }

  /// Reads a text that is not empty. Reports any other value and returns `nil`.
  func text(_ element: Element, _ what: String) -> String? {
    if let text = element.text, !text.isEmpty { return text }
    let rule = element.text == nil ? "must be a string, not \(article(element.kindName))" : "must not be empty"
    report("\(what) \(rule)", at: element.position)
    return nil
  }

  /// Reads one text, or a list of texts. Values with errors are reported and omitted.
  func texts(_ element: Element?, _ what: String) -> [String] {
    var texts: [String] = []
    for element in oneOrMore(element) { if let text = text(element, what) { texts.append(text) } }
    return texts
  }

  /// Reads `true` or `false`; false if the element is missing. Any other value is reported.
  func flag(_ element: Element?, _ what: String) -> Bool {
    guard let element else { return false }
    if case .scalar(.bool(let flag)) = element.content { return flag }
    report("\(what) must be true or false, not \(described(element))", at: element.position)
    return false
  }

  /// Reads one of the words in `allowed`, by default any word of the enum. Reports any other value, with the most similar word, and returns
  /// `nil`.
  func word<Word: RawRepresentable & CaseIterable>(
    _ element: Element?, _ what: String, among allowed: [Word] = Array(Word.allCases)
  ) -> Word? where Word.RawValue == String {
    guard let element else { return nil }
    let words = allowed.map(\.rawValue)
    if let text = element.text, words.contains(text) { return Word(rawValue: text) }
    let meant = element.text.flatMap { NearestName.of($0, among: words) }.map { "; did you mean `\($0)`?" } ?? ""
    report("\(what) must be \(english(words, "or")), not \(described(element))\(meant)", at: element.position)
    return nil
  }

  /// Reads a duration, a number with `ms`, `s`, `m`, `h` or `d`, and returns whole milliseconds. Reports any other text and returns `nil`.
  func duration(_ element: Element?, _ what: String, atLeast least: Int = 0) -> Int? {
    guard let element else { return nil }
    if let milliseconds = element.text.flatMap(DurationText.read) {
      if milliseconds >= Double(least), milliseconds <= DurationText.limit { return Int(milliseconds) }
      let bound = milliseconds < Double(least) ? "must be at least \(DurationText.written(least))" : "must be at most 100 years"
      report("\(what) \(bound)", at: element.position)
      return nil
    }
    report("\(what) must be a number with `ms`, `s`, `m`, `h` or `d`, like `5s`, not \(described(element))", at: element.position)
    return nil
  }

  /// Reads the name of an environment variable. Returns `nil` after reporting an error.
  func environmentName(_ element: Element) -> String? {
    guard let name = text(element, "`env`") else { return nil }
    if name.first?.isNumber != true,
      name.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || "0"..."9" ~= $0) })
    {
      return name
    }
    report("`env` must be the name of an environment variable, like `SHOP_URL`, not its value", at: element.position)
    return nil
  }
}
