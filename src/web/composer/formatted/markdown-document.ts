import type { Node } from "prosemirror-model";
import { parseBlocks } from "./block-parser.ts";
import { findListMarks, serializeBlock } from "./block-serializer.ts";
import { schema } from "./schema.ts";

const { nodes } = schema;

/** How a block was written, and what stood before it. */
type Source = { text: string; before: Node | null; gap: string };
type WrittenBlock = { node: Node; text: string };

const REFERENCE_DEFINITION = /^[\s>]*\[[^\]^][^\]]*\]:/m;

/**
 * Converts between Markdown and the editor's document. Blocks that were not changed keep their text as it was
 * written, because ProseMirror's nodes are immutable: an unchanged block is the same object.
 */
export class MarkdownDocument {
  readonly #sources = new WeakMap<Node, Source>();
  readonly #written = new WeakMap<Node, string>();
  #original: { doc: Node; text: string } | null = null;
  #context = { hasReferences: false };

  /** Parses a whole text. With `isFragment`, the text is only pasted into the document. */
  parse(text: string, { isFragment = false } = {}): Node {
    const lines = text.replaceAll(/\r\n?/g, "\n").split("\n");
    const context = { hasReferences: REFERENCE_DEFINITION.test(text) };
    const blocks = parseBlocks(lines, context);
    const children = blocks.map(({ node }) => node);
    const doc = nodes.doc.create(null, children.length > 0 ? children : nodes.paragraph.create());
    if (isFragment) return doc;
    this.#context = context;
    this.#original = { doc, text };
    for (const [at, { node, from, to, isUnclosed }] of blocks.entries()) {
      const last = blocks[at - 1];
      const gap = last ? "\n".repeat(from - last.to + 1) : "";
      // A block without an end would swallow what is written after it.
      if (!isUnclosed)
        this.#sources.set(node, { text: lines.slice(from, to).join("\n"), before: last?.node ?? null, gap });
    }
    return doc;
  }

  /** Writes the document as Markdown. */
  serialize(doc: Node): string {
    if (this.#original && hasSameChildren(doc, this.#original.doc)) return this.#original.text;
    const blocks = this.#writeBlocks(doc);
    return blocks.map(({ text }, at) => this.#gap(blocks, at) + text).join("");
  }

  /** Returns the position in the Markdown of the end of the top-level block with this index. */
  findBlockEnd(doc: Node, index: number): number {
    const isBefore = new Set(Array.from({ length: index + 1 }, (_, at) => doc.child(at)));
    const blocks = this.#writeBlocks(doc);
    const count = blocks.filter(({ node }) => isBefore.has(node)).length;
    return blocks
      .slice(0, count)
      .reduce((sum, { text }, at) => sum + this.#gap(blocks, at).length + text.length, 0);
  }

  /** Returns the index of the top-level block at a position in the Markdown. */
  findBlockAt(doc: Node, offset: number): number {
    let end = 0;
    const blocks = this.#writeBlocks(doc);
    const index = blocks.findIndex(
      ({ text }, at) => (end += this.#gap(blocks, at).length + text.length) >= offset,
    );
    const found = blocks.at(index)?.node;
    for (let at = 0; at < doc.childCount; at += 1) if (doc.child(at) === found) return at;
    return doc.childCount - 1;
  }

  #gap(blocks: WrittenBlock[], at: number): string {
    if (at === 0) return "";
    const source = this.#sources.get(blocks[at]!.node);
    return source?.before === blocks[at - 1]!.node ? source.gap : "\n\n";
  }

  #writeBlocks(doc: Node): WrittenBlock[] {
    const blocks: WrittenBlock[] = [];
    doc.forEach((node, _, at) => {
      const next = at + 1 < doc.childCount ? doc.child(at + 1) : null;
      const text = this.#findSource(node, blocks.at(-1)) ?? this.#write(node, blocks.at(-1), next);
      if (text !== "") blocks.push({ node, text });
    });
    return blocks;
  }

  /** Returns the text of an unchanged block, unless it would mean something else after the one before. */
  #findSource(node: Node, before: WrittenBlock | undefined): string | undefined {
    const source = this.#sources.get(node);
    if (!source || source.before === (before?.node ?? null)) return source?.text;
    const [mark] = findListMarks(source.text);
    const wouldMerge = mark !== undefined && findListMarks(before?.text ?? "").includes(mark);
    return wouldMerge || /^\s/.test(source.text) ? undefined : source.text;
  }

  #write(node: Node, before: WrittenBlock | undefined, after: Node | null): string {
    const following =
      after && (this.#sources.get(after)?.text ?? (after.type === nodes.verbatim && after.textContent));
    const marks = findListMarks(`${before?.text ?? ""}\n${following || ""}`);
    const known = marks.length === 0 ? this.#written.get(node) : undefined;
    if (known !== undefined) return known;
    const text = serializeBlock(node, { ...this.#context, avoid: marks });
    if (marks.length === 0) this.#written.set(node, text);
    return text;
  }
}

function hasSameChildren(one: Node, other: Node): boolean {
  if (one.childCount !== other.childCount) return false;
  for (let at = 0; at < one.childCount; at += 1) if (one.child(at) !== other.child(at)) return false;
  return true;
}
