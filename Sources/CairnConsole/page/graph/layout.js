// The layout of a graph. Flows are boxes in columns by their distance from the root; their screens are rows inside.

const CELL = { width: 148, height: 30, gap: 12 };
const PADDING = 14;
const HEAD = 26;
const COLUMN_GAP = 84;
const ROW_GAP = 26;
/** Maximum height of a column. Boxes that do not fit continue in another column beside it. */
const TALLEST = 760;

/** Returns the boxes by node id (`x`, `y`, `width`, `height`; flows enclose their screens), and the size of the whole graph. */
export function layout({ nodes, edges }) {
  const flows = nodes.filter((node) => node.kind === "flow");
  const home = new Map(nodes.map((node) => [node.id, node.kind === "flow" ? node.id : node.parent ?? ""]));
  const inner = new Map(flows.map((flow) => [flow.id, ordered(nodes.filter((node) => node.parent === flow.id && node.kind !== "flow"), flow.id, edges)]));
  const between = edges.map(({ from, to }) => [home.get(from), home.get(to)]).filter(([from, to]) => from !== to && to);
  const outside = nodes.filter((node) => home.get(node.id) === "");
  const boxes = new Map();
  let x = PADDING;
  if (outside.length) x = columns(outside.map((node) => [node.id]), x, boxes, () => ({ width: CELL.width + 40, height: CELL.height }), place) + COLUMN_GAP;
  for (const column of ranked(flows, between)) {
    x = columns(column.map((flow) => [flow.id]), x, boxes, (id) => size(inner.get(id).length), (id, at) => {
      boxes.set(id, at);
      inner.get(id).forEach((screen, index) => boxes.set(screen.id, cell(at, index, inner.get(id).length)));
    }) + COLUMN_GAP;
  }
  const all = [...boxes.values()];
  return {
    boxes,
    width: Math.max(200, ...all.map((box) => box.x + box.width)) + PADDING,
    height: Math.max(120, ...all.map((box) => box.y + box.height)) + PADDING,
  };

  function place(id, at) {
    boxes.set(id, at);
  }
}

/** Places boxes below each other, starting at `x`, and starts another column if one gets too high. Returns the right edge. */
function columns(ids, x, boxes, measure, put) {
  let [y, width] = [PADDING, 0];
  for (const [id] of ids) {
    const box = measure(id);
    if (y > PADDING && y + box.height > TALLEST) [x, y, width] = [x + width + ROW_GAP, PADDING, 0];
    put(id, { x, y, ...box });
    y += box.height + (box.height > CELL.height ? ROW_GAP : CELL.gap);
    width = Math.max(width, box.width);
  }
  return x + width;
}

function across(count) {
  return count <= 6 ? 1 : count <= 14 ? 2 : 3;
}

function size(count) {
  const wide = Math.max(1, across(count));
  const high = Math.ceil(count / wide);
  return {
    width: wide * CELL.width + (wide - 1) * CELL.gap * 2 + 2 * PADDING,
    height: HEAD + high * CELL.height + Math.max(0, high - 1) * CELL.gap + PADDING,
  };
}

function cell(at, index, count) {
  const high = Math.ceil(count / across(count));
  return {
    x: at.x + PADDING + Math.floor(index / high) * (CELL.width + CELL.gap * 2),
    y: at.y + HEAD + (index % high) * (CELL.height + CELL.gap), width: CELL.width, height: CELL.height,
  };
}

/**
 * Returns the columns of flows, by their distance from the root flow and from flows without incoming edges. Each column is in the order of the edges from the
 * previous column.
 */
function ranked(flows, between) {
  const rank = new Map();
  const reach = (id, at) => {
    const queue = [[id, at]];
    while (queue.length) {
      const [next, distance] = queue.shift();
      if (rank.has(next)) continue;
      rank.set(next, distance);
      for (const [from, to] of between) if (from === next && !rank.has(to)) queue.push([to, distance + 1]);
    }
  };
  const isLed = (id) => between.some(([from, to]) => to === id && from);
  for (const flow of flows.filter((each) => each.root)) reach(flow.id, 0);
  for (const flow of flows) if (!isLed(flow.id)) reach(flow.id, 0);
  for (const flow of flows) if (!rank.has(flow.id)) reach(flow.id, rank.size ? 1 : 0);
  const order = [...rank.keys()];
  const all = [];
  for (const flow of flows) (all[rank.get(flow.id)] ??= []).push(flow);
  return all.filter(Boolean).map((column) => column.sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id)));
}

/** Returns the screens in the order in which edges lead to them from their flow, and then the screens to which no edge leads from there. */
function ordered(screens, flow, edges) {
  const found = [];
  const queue = [flow];
  const own = new Set(screens.map(({ id }) => id));
  while (queue.length) {
    const next = queue.shift();
    for (const { from, to } of edges) {
      if (from !== next || !own.has(to) || found.includes(to)) continue;
      found.push(to);
      queue.push(to);
    }
  }
  return [...screens].sort((one, other) => at(one) - at(other));

  function at({ id }) {
    return found.includes(id) ? found.indexOf(id) : found.length;
  }
}
