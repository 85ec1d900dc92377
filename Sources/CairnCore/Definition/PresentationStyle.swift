public enum PresentationStyle: String, Hashable, Sendable, Codable, CaseIterable {
  case sheet, fullScreen, alert
}
