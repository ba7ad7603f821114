import { Fragment, type Node } from "prosemirror-model";
import type { InlineContext } from "./inline-parser.ts";
import { type Block, endsContainer, isBlank, ITEM_MARK, RULE } from "./line-patterns.ts";
import { schema } from "./schema.ts";
import { Unsupported } from "./unsupported.ts";

const { nodes } = schema;
const TASK = /^\[([ xX])\]\s+(?=\S)/;
type Item = { node: Node; to: number; isLoose: boolean };

type ParseBlocks = (lines: string[], context: InlineContext) => Block[];

/** Parses a list with its items, whose blocks `parseBlocks` parses. @throws Unsupported */
export function parseList(
  lines: string[],
  from: number,
  context: InlineContext,
  parseBlocks: ParseBlocks,
): Block {
  const mark = readMark(lines[from]!)!;
  const items: Node[] = [];
  let [at, end, isLoose] = [from, from, false];
  while (at < lines.length) {
    const next = readMark(lines[at]!);
    if (!next || next.kind !== mark.kind || RULE.test(lines[at]!)) break;
    isLoose ||= at > end;
    const item = parseItem(lines, at, next, (inside) => parseBlocks(inside, context));
    items.push(item.node);
    isLoose ||= item.isLoose;
    end = item.to;
    at = end;
    while (at < lines.length && isBlank(lines[at])) at += 1;
  }
  const isOrdered = mark.start !== null;
  const attrs = { tight: !isLoose, ...(isOrdered && { start: mark.start }) };
  const node = (isOrdered ? nodes.ordered_list : nodes.bullet_list).create(attrs, items);
  if (!isLoose && !canBeTight(node)) throw new Unsupported();
  return { node, from, to: end };
}

type ItemMark = { kind: string; start: number | null; width: number; rest: string };

function readMark(line: string): ItemMark | null {
  const [whole, indent = "", sign = ""] = ITEM_MARK.exec(line) ?? [];
  if (whole === undefined) return null;
  const after = line.slice(whole.length);
  const space = /^ */.exec(after)![0].length;
  if (after.trim() !== "" && (space === 0 || space > 4)) throw new Unsupported();
  const width = indent.length + sign.length + (after.trim() === "" ? 1 : space);
  const start = /\d/.test(sign) ? Number.parseInt(sign, 10) : null;
  return { kind: sign.at(-1)!, start, width, rest: after.trim() === "" ? "" : line.slice(width) };
}

function parseItem(
  lines: string[],
  from: number,
  mark: ItemMark,
  parse: (inside: string[]) => Block[],
): Item {
  const inside = [mark.rest];
  let at = from + 1;
  for (; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (isBlank(line)) inside.push("");
    else if (/^ *\t/.test(line)) throw new Unsupported();
    else if (/^ */.exec(line)![0].length >= mark.width) inside.push(line.slice(mark.width));
    else if (isBlank(inside.at(-1)) || endsContainer(line) || ITEM_MARK.test(line)) break;
    // A line with less indentation may continue the paragraph in the item.
    else throw new Unsupported();
  }
  while (inside.length > 1 && isBlank(inside.at(-1))) inside.pop();
  if (mark.rest === "" && at > from + 1) throw new Unsupported();
  if (inside.length > 1 && /^\[[ xX]\]\s*$/.test(inside[0]!)) throw new Unsupported();
  const task = TASK.exec(inside[0]!);
  if (task) inside[0] = inside[0]!.slice(task[0].length);
  const blocks = parse(inside);
  const children = blocks.map(({ node }) => node);
  if (blocks.some(({ isUnclosed }) => isUnclosed)) throw new Unsupported({ toEnd: true });
  if (children.length > 0 && children[0]!.type !== nodes.paragraph) throw new Unsupported();
  const isLoose = blocks.some(({ to }, n) => blocks[n + 1] !== undefined && blocks[n + 1]!.from > to);
  const checked = task ? task[1] !== " " : null;
  const content = Fragment.from(children.length > 0 ? children : [nodes.paragraph.create()]);
  return { node: nodes.list_item.create({ checked }, content), to: from + inside.length, isLoose };
}

/** Whether the blocks of each item can follow each other without blank lines. */
export function canBeTight(list: Node): boolean {
  let can = true;
  list.forEach((item) =>
    item.forEach((child, _, at) => {
      if (at > 0) can &&= canInterrupt(child);
    }),
  );
  return can;
}

function canInterrupt({ type, attrs, firstChild }: Node): boolean {
  if (type === nodes.paragraph || type === nodes.verbatim) return false;
  const isList = type === nodes.bullet_list || type === nodes.ordered_list;
  if (!isList) return true;
  return (attrs["start"] ?? 1) === 1 && (firstChild?.firstChild?.content.size ?? 0) > 0;
}
