/** Returns whether an answer, or one of the answers to an array, has the event `exit`, after which the client has to leave the app. */
export function hasExit({ events, answers }) {
  return events?.some(({ type }) => type === "exit") === true || answers?.some(hasExit) === true;
}
