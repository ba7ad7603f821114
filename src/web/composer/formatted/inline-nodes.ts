import type { Mark, Node } from "prosemirror-model";
import { type Delimiter, pairDelimiters } from "./delimiters.ts";
import { schema } from "./schema.ts";
import { Unsupported } from "./unsupported.ts";

const { marks } = schema;

/** A part of a line before its delimiters are paired. */
export type Item =
  | { text: string; mark?: "code" | "raw" }
  | { node: Node }
  | DelimiterItem
  | { mark: Mark; items: Item[] };

/** A `*`, `_` or `~~`, and what the run to which it belongs can do. */
type DelimiterItem = { delimiter: string; opens: boolean; closes: boolean; length: number };

/** Turns items into nodes with marks: pairs of delimiters become marks, the others are text. */
export function buildNodes(items: Item[], outer: readonly Mark[]): Node[] {
  const added = items.map(() => outer);
  const isUsed = markPairs(items, added);
  // Two links to the same address would become one.
  const groups = items.filter((it) => !("delimiter" in it));
  if (groups.some((it, at) => "items" in it && isGroupOf(groups[at - 1], it.mark))) throw new Unsupported();
  return items.flatMap((item, at): Node[] => {
    if (isUsed.has(at)) return [];
    const own = added[at]!;
    if ("delimiter" in item) return [schema.text(item.delimiter, own)];
    if ("node" in item) return [item.node.mark(own)];
    if ("items" in item) {
      if (own.some(({ type }) => type === item.mark.type)) throw new Unsupported();
      return buildNodes(item.items, item.mark.addToSet(own));
    }
    if (item.text === "") return [];
    return [schema.text(item.text, item.mark ? marks[item.mark].create().addToSet(own) : own)];
  });
}

const isGroupOf = (it: Item | undefined, mark: Mark) => it !== undefined && "items" in it && it.mark.eq(mark);

/** Adds marks to the items between paired delimiters; returns the indexes of these delimiters. */
function markPairs(items: Item[], added: (readonly Mark[])[]): Set<number> {
  const all = items.flatMap((it, item): Delimiter[] =>
    "delimiter" in it
      ? [{ marker: it.delimiter, length: it.length, opens: it.opens, closes: it.closes, item, end: -1 }]
      : [],
  );
  pairDelimiters(all);
  const isUsed = new Set<number>();
  for (let at = all.length - 1; at >= 0; at -= 1) {
    const opener = all[at]!;
    if (opener.end === -1) continue;
    const closer = all[opener.end]!;
    const [outerOpener, outerCloser] = [all[at - 1], all[opener.end + 1]];
    const isStrong =
      opener.marker !== "~~" &&
      outerOpener?.end === opener.end + 1 &&
      outerOpener.marker === opener.marker &&
      outerOpener.item === opener.item - 1 &&
      outerCloser?.item === closer.item + 1;
    const mark = (opener.marker === "~~" ? marks.strike : isStrong ? marks.strong : marks.em).create();
    for (let it = opener.item + 1; it < closer.item; it += 1) {
      if (mark.isInSet(added[it]!)) throw new Unsupported();
      added[it] = mark.addToSet(added[it]!);
    }
    isUsed.add(opener.item).add(closer.item);
    if (!isStrong) continue;
    isUsed.add(outerOpener.item).add(outerCloser.item);
    at -= 1;
  }
  return isUsed;
}
