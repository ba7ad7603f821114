import { Fragment } from "prosemirror-model";
import { type InlineContext, parseInline } from "./inline-parser.ts";
import {
  type Block,
  COLONS,
  endsContainer,
  FENCE,
  FOOTNOTE,
  HEADING,
  isBlank,
  ITEM_MARK,
  REFERENCE,
  RULE,
  startsBlock,
  TABLE_RULE,
  UNDERLINE,
} from "./line-patterns.ts";
import { parseList } from "./list-parser.ts";
import { schema } from "./schema.ts";
import { Unsupported } from "./unsupported.ts";

const { nodes } = schema;

/** Parses lines of Markdown. What the editor cannot show becomes a `verbatim` block. */
export function parseBlocks(lines: string[], context: InlineContext): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const block = parseBlock(lines, at, context);
    blocks.push(block);
    at = block.to;
  }
  return blocks;
}

function parseBlock(lines: string[], at: number, context: InlineContext): Block {
  const line = lines[at]!;
  try {
    if (/^ *\t/.test(line)) throw new Unsupported();
    if (/^ {4}/.test(line)) return parseIndentedCode(lines, at);
    if (FENCE.test(line)) return parseFence(lines, at);
    if (COLONS.test(line)) return parseSpoiler(lines, at, context);
    if (RULE.test(line)) return { node: nodes.horizontal_rule.create(), from: at, to: at + 1 };
    if (HEADING.test(line)) return parseHeading(lines, at, context);
    if (/^ {0,3}>/.test(line)) return parseQuote(lines, at, context);
    if (ITEM_MARK.test(line)) return parseList(lines, at, context, parseBlocks);
    if (FOOTNOTE.test(line) || REFERENCE.test(line)) throw new Unsupported();
    return parseParagraph(lines, at, context);
  } catch (error) {
    if (error instanceof Unsupported) return parseVerbatim(lines, at, error.toEnd);
    throw error;
  }
}

/**
 * A block that stays as written: to the next blank line or block, and a list with all that may belong to it.
 */
function parseVerbatim(lines: string[], from: number, toEnd: boolean): Block {
  if (toEnd) return { ...createVerbatim(lines, from, lines.length), isUnclosed: true };
  if (HEADING.test(lines[from]!)) return createVerbatim(lines, from, from + 1);
  const isContainer = isNested(lines[from]!) || /^ {0,3}>/.test(lines[from]!);
  let to = from + 1;
  for (; to < lines.length; to += 1) {
    const line = lines[to]!;
    if (!isContainer && UNDERLINE.test(line)) return createVerbatim(lines, from, to + 1);
    if (!isContainer && startsBlock(line)) break;
    if (!isBlank(line)) continue;
    const next = lines.slice(to).find((it) => !isBlank(it));
    if (next === undefined || !isNested(next) || !lines.slice(from, to).some((it) => isNested(it))) break;
  }
  return createVerbatim(lines, from, to);
}

/** Whether a line begins a list item or a note, or is indented: lines after a blank one may belong to it. */
const isNested = (line: string) => ITEM_MARK.test(line) || FOOTNOTE.test(line) || /^[ \t]/.test(line);

function createVerbatim(lines: string[], from: number, end: number): Block {
  const to = lines.slice(0, end).findLastIndex((line) => !isBlank(line)) + 1;
  // Without the indentation, the block cannot become part of a list before it.
  const part = lines.slice(from, to);
  const indent = Math.min(3, ...part.filter((line) => !isBlank(line)).map((line) => line.search(/[^ ]/)));
  const text = part.map((line) => line.slice(indent));
  return { node: nodes.verbatim.create(null, schema.text(text.join("\n"))), from, to };
}

function parseIndentedCode(lines: string[], from: number): Block {
  let to = from;
  while (to < lines.length && (isBlank(lines[to]) || /^ {4}/.test(lines[to]!))) to += 1;
  while (isBlank(lines[to - 1])) to -= 1;
  const code = lines.slice(from, to).map((line) => line.slice(4));
  if (code.some((line) => line.includes("\t"))) throw new Unsupported();
  return { node: createCode(code, ""), from, to };
}

const createCode = (lines: string[], info: string) => {
  const text = lines.join("\n");
  return nodes.code_block.create({ info }, text === "" ? null : schema.text(text));
};

function parseFence(lines: string[], from: number): Block {
  const [, indent = "", fence = "", rest = ""] = FENCE.exec(lines[from]!)!;
  const info = rest.trim();
  const close = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`);
  const length = lines.slice(from + 1).findIndex((line) => close.test(line));
  const end = from + 1 + length;
  if (length === -1) throw new Unsupported({ toEnd: true });
  if (/[\\&`]/.test(info)) return createVerbatim(lines, from, end + 1);
  const cut = new RegExp(`^ {0,${indent.length}}`);
  const code = lines.slice(from + 1, end).map((line) => line.replace(cut, ""));
  if (code.length === 1 && code[0] === "") throw new Unsupported();
  return { node: createCode(code, info), from, to: end + 1 };
}

function parseSpoiler(lines: string[], from: number, context: InlineContext): Block {
  const [, colons = "", info = ""] = COLONS.exec(lines[from]!)!;
  const length = lines.slice(from + 1).findIndex((line) => COLONS.test(line));
  if (length === -1) throw new Unsupported({ toEnd: true });
  const end = from + 1 + length;
  const [, closing = "", rest = ""] = COLONS.exec(lines[end]!)!;
  if (closing.length < colons.length || rest.trim() !== "") throw new Unsupported();
  const inside = parseBlocks(lines.slice(from + 1, end), context).map(({ node }) => node);
  return {
    node: nodes.spoiler_block.create({ info }, inside.length > 0 ? inside : nodes.paragraph.create()),
    from,
    to: end + 1,
  };
}

function parseHeading(lines: string[], from: number, context: InlineContext): Block {
  const [, signs = "", rest = ""] = HEADING.exec(lines[from]!)!;
  const text = ` ${rest}`.replace(/[ \t]+#+[ \t]*$/, "").trim();
  const node = nodes.heading.create({ level: signs.length }, Fragment.from(parseInline(text, context)));
  return { node, from, to: from + 1 };
}

function parseQuote(lines: string[], from: number, context: InlineContext): Block {
  let to = from;
  while (to < lines.length && /^ {0,3}>/.test(lines[to]!)) to += 1;
  // A line without mark may continue the paragraph in the quotation.
  if (!isBlank(lines[to]) && !endsContainer(lines[to]!)) throw new Unsupported();
  const quoted = lines.slice(from, to).map((line) => line.replace(/^ {0,3}> ?/, ""));
  if (quoted.some((line) => /^ *\t/.test(line))) throw new Unsupported();
  const blocks = parseBlocks(quoted, context);
  if (blocks.some(({ isUnclosed }) => isUnclosed)) throw new Unsupported({ toEnd: true });
  const inside = blocks.map(({ node }) => node);
  return {
    node: nodes.blockquote.create(null, inside.length > 0 ? inside : nodes.paragraph.create()),
    from,
    to,
  };
}

function parseParagraph(lines: string[], from: number, context: InlineContext): Block {
  let to = from + 1;
  while (to < lines.length && !isBlank(lines[to])) {
    const line = lines[to]!;
    const underline = UNDERLINE.exec(line)?.[1];
    if (underline && to === from + 1 && !lines[from]!.includes("|")) {
      const text = lines[from]!.trim();
      const level = underline.startsWith("=") ? 1 : 2;
      const node = nodes.heading.create({ level }, Fragment.from(parseInline(text, context)));
      return { node, from, to: to + 1 };
    }
    if (underline || TABLE_RULE.test(line)) throw new Unsupported();
    if (startsBlock(line)) break;
    to += 1;
  }
  const text = lines.slice(from, to).join("\n").trim();
  return { node: nodes.paragraph.create(null, Fragment.from(parseInline(text, context))), from, to };
}
