import type { Node } from "prosemirror-model";
import { scanRun } from "./delimiters.ts";
import { buildNodes, type Item } from "./inline-nodes.ts";
import { LINK_ADDRESS, schema } from "./schema.ts";
import { Unsupported } from "./unsupported.ts";

/** `hasReferences`: the text defines addresses (`[a]: https://…`), so that any bracket may be a link. */
export type InlineContext = { hasReferences: boolean };

const { marks, nodes } = schema;

/** Parses the text of a paragraph or heading. @throws Unsupported */
export const parseInline = (text: string, context: InlineContext): Node[] =>
  buildNodes(new InlineParser(text, context).parse(0, text.length), []);

const PLAIN = /[^\n\\`|*_~![<&@hfHF]+/y;
const ADDRESS = /(?:https?|ftp):\/\/[a-z0-9](?:[\w/.%?=&#:@+,;!$'()-]|~(?!~))*/iy;
const AUTOLINK = /<(?:[a-z][a-z0-9+.-]{1,31}:[^<>\s]*|[\w.!#$%&'*+/=?^{|}~`-]+@[a-z0-9.-]+)>/iy;
const ENTITY = /&(?:#x([a-f0-9]{1,6})|#([0-9]{1,7})|[a-z][a-z0-9]{1,31});/iy;
const MENTION = /@([a-z0-9_](?:[a-z0-9_.-]{0,58}[a-z0-9_])?)(?![\p{L}\p{N}_@])/iuy;
const ADDRESS_PART = String.raw`[^\s()<>\\]*`;
/** Address and title of a link in brackets. */
const DESTINATION = new RegExp(
  String.raw`\([ \t]*(<[^<>\n\\]*>|${ADDRESS_PART}(?:\(${ADDRESS_PART}\)${ADDRESS_PART})*)` +
    String.raw`(?:[ \t]+("[^"\\\n]*"|'[^'\\\n]*'))?[ \t]*\)`,
  "y",
);
const IN_WORD = /[\p{L}\p{N}_]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
export const isInWord = (sign: string) => IN_WORD.test(sign) && !UNSPACED.test(sign);

/** Turns a line of Markdown into items; delimiters are paired afterwards. */
class InlineParser {
  readonly #text: string;
  readonly #context: InlineContext;
  #isInLink = false;

  constructor(text: string, context: InlineContext) {
    this.#text = text;
    this.#context = context;
  }

  parse(from: number, to: number): Item[] {
    const items: Item[] = [];
    for (let at = from; at < to;) {
      const next = this.#parseItem(items, at, to);
      if (next > to) throw new Unsupported();
      at = next;
    }
    return items;
  }

  /** Adds the items at a position and returns the position after them. */
  #parseItem(items: Item[], at: number, to: number): number {
    switch (this.#text.charAt(at)) {
      case "\n":
        return this.#addBreak(items, at);
      case "\\":
        return this.#addEscape(items, at, to);
      case "`":
        return this.#addCode(items, at);
      case "|":
        return this.#addSpoiler(items, at, to);
      case "*":
      case "_":
      case "~":
        return this.#addDelimiters(items, at, to);
      case "!":
        return this.#text[at + 1] === "[" ? this.#addPicture(items, at, to) : this.#addText(items, at, 1);
      case "[":
        return this.#addLink(items, at, to);
      case "<":
        return this.#addRaw(items, at, AUTOLINK);
      case "&":
        return this.#addEntity(items, at);
      case "@":
        return this.#addMention(items, at);
      default:
        return this.#addPlain(items, at, to);
    }
  }

  #addText(items: Item[], at: number, length: number): number {
    items.push({ text: this.#text.slice(at, at + length) });
    return at + length;
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#text);
  }

  #addPlain(items: Item[], at: number, to: number): number {
    const isWordStart = at === 0 || !/[a-z0-9.+-]/i.test(this.#text[at - 1]!);
    const address = isWordStart ? this.#match(ADDRESS, at) : null;
    if (!address) {
      const length = this.#match(PLAIN, at)?.[0].length ?? 1;
      return this.#addText(items, at, Math.min(length, to - at));
    }
    const end = at + address[0].length;
    // The server's parser decides where an address ends. Only plain cases are sure.
    if (!/^(?:\s|$|\*+(?:\s|$))/.test(this.#text.slice(end, end + 8)) || address[0].endsWith("_"))
      throw new Unsupported();
    if (this.#isInLink && address[0].includes("_")) throw new Unsupported();
    return this.#addText(items, at, address[0].length);
  }

  #addBreak(items: Item[], at: number): number {
    const last = items.at(-1);
    if (last && "text" in last && !last.mark) last.text = last.text.replace(/ +$/, "");
    items.push({ node: nodes.hard_break.create() });
    return at + /^\n[ \t]*/.exec(this.#text.slice(at))![0].length;
  }

  #addEscape(items: Item[], at: number, to: number): number {
    const sign = at + 1 < to ? this.#text[at + 1]! : "";
    if (/^(?:https?|ftp):/i.test(this.#text.slice(at + 1, at + 8))) throw new Unsupported();
    if (sign === "\n") return this.#addBreak(items, at + 1);
    if (!/[!-/:-@[-`{-~]/.test(sign)) return this.#addText(items, at, 1);
    // An escaped sign that would otherwise be part of an address, a mention or an emoji stays escaped.
    const line = this.#text.slice(this.#text.lastIndexOf("\n", at) + 1, at);
    const isLineStart =
      (sign === "." && /^\d{1,9}$/.test(line)) || (line === "" && this.#text.startsWith(":::", at + 1));
    if ((/[@:./]/.test(sign) && !isLineStart) || this.#isInAddress(at))
      items.push({ text: `\\${sign}`, mark: "raw" });
    else items.push({ text: sign });
    return at + 2;
  }

  /** Whether the word around an escaped sign may be an address or emoji, which the sign ends. */
  #isInAddress(at: number): boolean {
    if (this.#text[at - 1] === ":" || this.#text[at + 2] === ":") return true;
    const before = /\S*$/.exec(this.#text.slice(Math.max(0, at - 200), at))![0];
    const after = /^\S*/.exec(this.#text.slice(at, at + 200))![0];
    return /www\.|:\/\/|[\w-][.@]\w|@\w/i.test(before + after);
  }

  #addCode(items: Item[], at: number): number {
    const fence = /^`+/.exec(this.#text.slice(at))![0];
    const close = new RegExp(`(?<!\`)${fence}(?!\`)`, "g");
    close.lastIndex = at + fence.length;
    const end = close.exec(this.#text)?.index;
    if (end === undefined) return this.#addText(items, at, fence.length);
    const inside = this.#text.slice(at + fence.length, end).replaceAll("\n", " ");
    items.push({ text: inside.replace(/^ (.*[^ ].*) $/, "$1"), mark: "code" });
    return end + fence.length;
  }

  #addSpoiler(items: Item[], at: number, to: number): number {
    const from = at + 2;
    const end = this.#text.indexOf("||", from);
    if (
      !this.#text.startsWith("||", at) ||
      from >= to ||
      end === -1 ||
      end >= to ||
      isInWord(this.#text.charAt(at - 1)) ||
      isInWord(this.#text.charAt(end + 2)) ||
      !/^\S(.*\S)?$/s.test(this.#text.slice(from, end))
    )
      return this.#addText(items, at, 1);
    items.push({ mark: marks.spoiler.create(), items: this.parse(from, end) });
    return end + 2;
  }

  #addDelimiters(items: Item[], at: number, to: number): number {
    const marker = this.#text[at]!;
    let end = at;
    while (end < to && this.#text[end] === marker) end += 1;
    // After these signs, a name or an address may be only text.
    const next = this.#text.slice(end, end + 80);
    if (/^www\./i.test(next) || (marker === "_" && /^\S*@|www\./i.test(next))) throw new Unsupported();
    const length = end - at;
    const run = scanRun(this.#text, at, end);
    if (marker !== "~") {
      for (let it = at; it < end; it += 1) items.push({ delimiter: marker, ...run, length });
    } else {
      if (length > 2) throw new Unsupported();
      if (length === 1) return this.#addText(items, at, 1);
      items.push({ delimiter: "~~", ...run, length: 0 });
    }
    return end;
  }

  #addRaw(items: Item[], at: number, pattern: RegExp): number {
    const found = this.#match(pattern, at)?.[0];
    if (!found) return this.#addText(items, at, 1);
    items.push({ text: found, mark: "raw" });
    return at + found.length;
  }

  #addEntity(items: Item[], at: number): number {
    const found = this.#match(ENTITY, at);
    if (!found) return this.#addText(items, at, 1);
    const code = found[1] ? Number.parseInt(found[1], 16) : Number(found[2] ?? 0);
    const sign = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    items.push(/^[\p{L}\p{N}]$/u.test(sign) ? { text: sign } : { text: found[0], mark: "raw" });
    return at + found[0].length;
  }

  #addMention(items: Item[], at: number): number {
    const found = /[\w.@/-]/.test(this.#text.charAt(at - 1)) ? null : this.#match(MENTION, at);
    // Where underscores end a name depends on emphasis around it.
    if (found && /^_|_$/.test(found[1]!)) throw new Unsupported();
    return this.#addText(items, at, found ? found[0].length : 1);
  }

  #addPicture(items: Item[], at: number, to: number): number {
    const end = this.#findLabelEnd(at + 2, to);
    if (end === -1) return this.#addText(items, at, 1);
    const target = this.#match(DESTINATION, end + 1);
    if (!target && this.#text[end + 1] !== "(") return this.#addText(items, at, 1);
    if (!target) throw new Unsupported();
    const src = readAddress(target[1]!);
    items.push({
      node: nodes.image.create({ src, alt: this.#text.slice(at + 2, end), title: target[2] ?? "" }),
    });
    return end + 1 + target[0].length;
  }

  #addLink(items: Item[], at: number, to: number): number {
    if (this.#text[at - 1] === "^") throw new Unsupported();
    const note = this.#match(/\[\^[^\s\]]+\]/y, at)?.[0];
    if (note) {
      if (this.#text[at + note.length] === "(") throw new Unsupported();
      items.push({ text: note, mark: "raw" });
      return at + note.length;
    }
    const end = this.#findLabelEnd(at + 1, to);
    if (end === -1 || this.#text[end + 1] !== "(") {
      if (this.#context.hasReferences || /^www\./i.test(this.#text.slice(at + 1, at + 6)))
        throw new Unsupported();
      return this.#addText(items, at, 1);
    }
    const target = this.#match(DESTINATION, end + 1);
    if (!target || this.#isInLink) throw new Unsupported();
    const mark = marks.link.create({ href: readAddress(target[1]!), title: target[2] ?? "" });
    this.#isInLink = true;
    const inside = this.parse(at + 1, end);
    this.#isInLink = false;
    if (inside.length === 0) throw new Unsupported();
    items.push({ mark, items: inside });
    return end + 1 + target[0].length;
  }

  /** Returns the position of the bracket that ends a label, or -1. Nested labels are not supported. */
  #findLabelEnd(from: number, to: number): number {
    for (let at = from; at < to; at += 1) {
      const sign = this.#text[at];
      if (sign === "]") return at;
      if (sign === "\\") at += 1;
      if (sign === "[" || sign === "<" || this.#text.startsWith("||", at)) throw new Unsupported();
      if (sign === "`") at = this.#addCode([], at) - 1;
    }
    return -1;
  }
}

function readAddress(written: string): string {
  const address = written.replace(/^<(.*)>$/, "$1");
  if (!LINK_ADDRESS.test(address) || /[&\s]/.test(address.replace(/&(?![#\w]+;)/g, "")))
    throw new Unsupported();
  return address;
}
