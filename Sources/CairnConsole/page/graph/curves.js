// The SVG paths of arrows.

/** The path between a flow's head and one of its screens, which runs beside the screen's column. */
export function gutter(flow, screen, isUp) {
  const [x, top, y] = [screen.x - 7, flow.y + 25, screen.y + screen.height / 2];
  return { path: isUp ? `M${screen.x} ${y + 5}H${x + 2}V${top}` : `M${x - 2} ${top}V${y}H${screen.x}`, x: screen.x + screen.width / 2, y: y + 4 };
}

/** The path from one box to another, or back to the same one. `x` and `y`: the position of the label. */
export function curve(from, to) {
  const [a, b] = [middle(from), middle(to)];
  if (from.x === to.x && from.y === to.y) {
    const x = from.x + from.width;
    return { path: `M${x} ${a.y - 6}c34 -14 34 26 0 14`, x: x + 30, y: a.y };
  }
  const isBeside = to.x > from.x + from.width || from.x > to.x + to.width;
  const [x1, x2] = isBeside ? (to.x > from.x ? [from.x + from.width, to.x] : [from.x, to.x + to.width]) : [from.x + from.width, to.x + to.width];
  const bend = isBeside ? (x2 - x1) / 2 : Math.min(60, 24 + Math.abs(b.y - a.y) / 8);
  const [c1, c2] = isBeside ? [x1 + bend, x2 - bend] : [x1 + bend, x2 + bend];
  return { path: `M${x1} ${a.y}C${c1} ${a.y} ${c2} ${b.y} ${x2} ${b.y}`, x: (x1 + x2 + (isBeside ? 0 : 1.5 * bend)) / 2, y: (a.y + b.y) / 2 - 4 };
}

function middle(box) {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
