import type { Node } from "prosemirror-model";
import type { InlineContext } from "./inline-parser.ts";
import { serializeInline } from "./inline-serializer.ts";
import { canBeTight } from "./list-parser.ts";
import { schema } from "./schema.ts";

const { nodes } = schema;

/** `avoid`: marks of the lists before and after, with which a list would merge. */
export type BlockContext = InlineContext & { avoid?: string[]; isTight?: boolean };

/** Writes a block as Markdown, without a line end. An empty paragraph is an empty text. */
export function serializeBlock(node: Node, context: BlockContext): string {
  switch (node.type) {
    case nodes.paragraph:
      return serializeInline(node.content, context, false);
    case nodes.heading:
      return serializeHeading(node, context);
    case nodes.blockquote:
      return prefixLines(serializeChildren(node, context), "> ");
    case nodes.bullet_list:
    case nodes.ordered_list:
      return serializeList(node, context);
    case nodes.code_block:
      return serializeCode(node);
    case nodes.horizontal_rule:
      // Under a line of text, dashes would make it a heading.
      return context.isTight ? "***" : "---";
    case nodes.spoiler_block:
      return serializeSpoiler(node, context);
    default:
      return node.textContent;
  }
}

const serializeHeading = ({ attrs, content }: Node, context: BlockContext) =>
  `${"#".repeat(Number(attrs["level"]))} ${serializeInline(content, context, true)}`.trim();

const prefixLines = (text: string, prefix: string) =>
  text
    .split("\n")
    .map((line) => (prefix + line).trimEnd())
    .join("\n");

/** Writes blocks after each other. Empty paragraphs are left out. */
function serializeChildren(parent: Node, { hasReferences }: BlockContext, isTight = false): string {
  let written = "";
  let avoid: string[] = [];
  parent.forEach((child) => {
    const block = serializeBlock(child, { hasReferences, avoid, isTight });
    if (block === "") return;
    written += `${written === "" ? "" : isTight ? "\n" : "\n\n"}${block}`;
    avoid = findListMarks(block);
  });
  return written;
}

const LIST_MARK = /^ {0,3}(?:\d{1,9}(?=[.)]))?([-+*.)])(?=\s|$)/gm;

/** Returns the signs that mark items of a list in a text: `-`, or the `.` of `1.`. */
export const findListMarks = (written: string): string[] =>
  Array.from(written.matchAll(LIST_MARK), (found) => found[1]!);

function serializeList(list: Node, context: BlockContext): string {
  const isOrdered = list.type === nodes.ordered_list;
  const isTight = list.attrs["tight"] === true && canBeTight(list);
  const mark = (isOrdered ? [".", ")"] : ["-", "*", "+"]).find((it) => !context.avoid?.includes(it));
  const items: string[] = [];
  list.forEach((item, _, at) => {
    const sign = isOrdered ? `${Number(list.attrs["start"]) + at}${mark ?? "."}` : (mark ?? "-");
    const inside = serializeChildren(item, context, isTight);
    const text = inside === "" ? "" : markTask(item.attrs["checked"], inside);
    const indent = " ".repeat(sign.length + 1);
    items.push(
      `${sign} ${text
        .split("\n")
        .map((line, n) => (n === 0 || line === "" ? line : indent + line))
        .join("\n")}`.trimEnd(),
    );
  });
  return items.join(isTight ? "\n" : "\n\n");
}

/** `checked` is null for an item that is no task. */
function markTask(checked: unknown, text: string): string {
  if (checked === null) return text.replace(/^\[[ xX]\]\s/, "\\$&");
  return `${checked === true ? "[x]" : "[ ]"} ${text}`;
}

function serializeCode({ attrs, textContent }: Node): string {
  const longest = Math.max(2, ...(textContent.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${attrs["info"]}\n${textContent === "" ? "" : `${textContent}\n`}${fence}`;
}

function serializeSpoiler(node: Node, context: BlockContext): string {
  const inside = serializeChildren(node, context);
  const longest = Math.max(2, ...(inside.match(/^ {0,3}:{3,}/gm) ?? []).map((it) => it.trim().length));
  const colons = ":".repeat(longest + 1);
  return `${colons}${node.attrs["info"]}\n${inside === "" ? "" : `${inside}\n`}${colons}`;
}
