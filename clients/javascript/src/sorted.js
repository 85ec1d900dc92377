/** Returns a value as JSON, with the members of each object in order, so that equal values have equal texts. */
export function sorted(value) {
  return JSON.stringify(value, (_, member) =>
    member !== null && typeof member === "object" && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member);
}
