import CairnCore
import CairnTesting
import Testing

@Suite struct `Patterns of texts` {
  @Test(arguments: [
    ("abc", ["abc"], ["", "ab", "abcd", "xabc"]), ("a|b|cd", ["a", "b", "cd"], ["", "c", "ab"]),
    ("(a|b)*c?", ["", "abab", "abc", "c"], ["cc", "abca"]),
    ("[A-Z]{2}\\d{1,3}", ["AB1", "AB123"], ["AB", "A1", "AB1234", "ab1", "AB١"]), ("[^a-c]+", ["xyz", "é"], ["", "a", "xa"]),
    ("((a?){3}b){2}", ["bb", "aabaaab"], ["b", "aaaabb"]), (".*", ["", "äöü👍"], ["a\nb"]), ("a{0}b", ["b"], ["ab"]),
    ("a{2,}", ["aa", "aaaa"], ["a"]),
    ("[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+", ["a.b+c@x-y.de"], ["a@b", "@b.c"]), ("a|", ["a", ""], ["b"]), ("()*", [""], ["b"]),
    ("[\\-a]", ["-", "a"], ["b"]), ("[a-]", ["-", "a"], ["b"]), ("e\u{301}", ["e\u{301}"], ["\u{e9}"]),
  ]) func `a pattern matches a text as a whole, by its scalars`(pattern: String, right: [String], wrong: [String]) throws {
    let pattern = try TextPattern(pattern)
    for text in right { #expect(pattern.matches(text), "\(text)") }
    for text in wrong { #expect(!pattern.matches(text), "\(text)") }
  }

  @Test(arguments: [
    ("^a", TextPattern.Fault.anchor), ("a$", .anchor), ("(?=a)", .group), ("(?<n>a)", .group), ("a**", .quantifier), ("a+?", .quantifier),
    ("*a", .quantifier), ("a{101}", .count), ("a{3,2}", .count), ("a{,2}", .count), ("(a{100}){100}", .tooLarge),
    ("((((((((((a))))))))))", .tooDeep), ("\\b", .escape), ("\\1", .escape), ("\\p{L}", .escape), ("[z-a]", .range), ("[]", .range),
    ("[\\d-z]", .range),
    ("(a", .unclosed), ("a)", .unclosed), ("[a", .unclosed), ("a\\", .unclosed), ("a]", .unescaped), ("a}", .unescaped),
    ("[[a]]", .unescaped),
  ]) func `a pattern outside the subset is refused with its reason`(pattern: String, fault: TextPattern.Fault) {
    #expect(throws: fault) { try TextPattern(pattern) }
  }

  @Test func `a pattern that other engines match in exponential time takes time in proportion to the text`() throws {
    let pattern = try TextPattern("((((a?)*)*)*)*b|(a|a|aa)*c")
    #expect(!pattern.matches(String(repeating: "a", count: 50_000)))
    #expect(pattern.matches(String(repeating: "a", count: 50_000) + "c"))
  }

  @Test func `samples of a type match its pattern and have its least length`() throws {
    var type = ParameterDefinition(.string)
    type.bounds = ValueBounds(pattern: try TextPattern("[A-Z]{2}[0-9]*"))
    #expect(type.samples(from: ["one"]) == ["AA", "ZZ"])
    type.bounds = ValueBounds(minLength: 4, pattern: try TextPattern("[A-Z]{2}[^0-9]*"))
    #expect(type.samples(from: ["one"]) == ["AAaa", "ZZaa"])
    type.bounds = ValueBounds(maxLength: 1, pattern: try TextPattern("a{2}"))
    #expect(type.samples(from: ["one"]) == [])
  }
}
