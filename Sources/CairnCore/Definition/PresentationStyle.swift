public enum PresentationStyle: String, Hashable, Sendable, Decodable, CaseIterable {
  case sheet, fullScreen, alert
}
