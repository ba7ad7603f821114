import { z } from "zod";

// Converts Slack blocks, which bots and the newer editor write, to the markup that `slackToMarkdown` reads.

const text = z.string().nullish().catch(null);
const whole = z.int().min(0).max(1_000_000).nullish().catch(null);
const Words = z.object({ type: text, text: z.string() });
const Block = z.object({
  type: text,
  text: z.union([z.string(), Words]).nullish().catch(null),
  fields: z.array(Words).nullish().catch(null),
  url: text,
  name: text,
  range: text,
  user_id: text,
  channel_id: text,
  style: z.unknown().optional(),
  indent: whole,
  offset: whole,
  get elements() {
    return z.array(Block).nullish();
  },
});
type Block = z.output<typeof Block>;
export const Blocks = z.array(Block).nullish().catch(null);

/** The text of blocks; empty for blocks without text, such as a picture or a button. */
export const blocksToSlackText = (blocks: z.output<typeof Blocks>): string =>
  (blocks ?? [])
    .map(formatBlock)
    .filter((it) => it.trim() !== "")
    .join("\n\n");

function formatBlock({ type, text: own, fields, elements }: Block): string {
  if (type === "section" || type === "header")
    return [own, ...(fields ?? [])].map(formatBlockText).filter(Boolean).join("\n");
  if (type === "context") return (elements ?? []).map((it) => formatBlockText(it.text)).join(" ");
  if (type === "rich_text") return formatRichText(elements ?? []);
  return "";
}

const escapeEntities = (it: string) =>
  it.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const formatBlockText = (it: Block["text"]) =>
  !it
    ? ""
    : typeof it === "string"
      ? escapeEntities(it)
      : it.type === "mrkdwn"
        ? it.text
        : escapeEntities(it.text);

/** A nested list is an element with an indent: never more than one step deeper than the previous one. */
function formatRichText(parts: Block[]): string {
  let depth = -1;
  return parts
    .map((it) => {
      depth = it.type === "rich_text_list" ? Math.min(it.indent ?? 0, depth + 1) : -1;
      return formatRichTextPart(it).replace(/^(?=.)/gm, LIST_INDENT.repeat(Math.max(0, depth)));
    })
    .join("\n");
}

const LIST_INDENT = "    ";

function formatRichTextPart({ type, style, offset, elements }: Block): string {
  const pieces = elements ?? [];
  const line = () => pieces.map(formatElement).join("");
  if (type === "rich_text_list")
    return pieces
      .map((it, i) => `${style === "ordered" ? `${(offset ?? 0) + i + 1}.` : "-"} ${formatRichTextPart(it)}`)
      .join("\n");
  if (type === "rich_text_quote") return line().replace(/^/gm, "&gt; ");
  if (type === "rich_text_preformatted")
    return `\`\`\`\n${pieces.map((it) => formatBlockText(it.text ?? it.url)).join("")}\n\`\`\``;
  return line();
}

function formatElement(block: Block): string {
  if (block.type === "user") return applyStyles(`<@${block.user_id}>`, block.style);
  if (block.type === "channel") return `<#${block.channel_id}>`;
  if (block.type === "emoji") return `:${block.name}:`;
  if (block.type === "broadcast") return `<!${block.range}>`;
  const words = formatBlockText(block.text);
  return applyStyles(
    block.type === "link" && block.url ? `<${escapeEntities(block.url)}${words && `|${words}`}>` : words,
    block.style,
  );
}

/** Marks of text styles, from the innermost to the outermost. */
const STYLE_SIGNS = { code: "`", strike: "~", italic: "_", bold: "*" };

/**
 * Places the marks inside leading and trailing white space, because a mark next to white space would not be
 * recognized.
 */
function applyStyles(words: string, style: unknown): string {
  const [, before, inside, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(words)!;
  const has = z.record(z.string(), z.unknown()).safeParse(style).data ?? {};
  const signs = Object.entries(STYLE_SIGNS).flatMap(([name, sign]) => (has[name] === true ? [sign] : []));
  return inside ? `${before}${signs.reduce((it, sign) => `${sign}${it}${sign}`, inside)}${after}` : words;
}
