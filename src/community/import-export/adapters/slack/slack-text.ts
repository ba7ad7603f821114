import { escapeInline, escapeLabel, escapeMarkdown } from "#platform/markup";
import { findSlackEmoji } from "./slack-emoji.ts";

export type SlackNames = {
  user: (id: string) => string | undefined;
  channel: (id: string) => string | undefined;
};

export const unescapeEntities = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Splits `target|label` at the first `|`; the label may contain further ones. */
function partsOf(inside: string): [what: string, label: string | undefined] {
  const at = inside.indexOf("|");
  return at < 0 ? [inside, undefined] : [inside.slice(0, at), inside.slice(at + 1)];
}

/** Formats the markup between `<` and `>`: a person, a channel, everyone, or a link. */
function formatEntity(inside: string, names: SlackNames): string {
  const [what, label] = partsOf(inside);
  if (what.startsWith("@"))
    return `**${escapeInline(unescapeEntities(label || names.user(what.slice(1)) || "somebody"))}**`;
  if (what.startsWith("#"))
    return `#${escapeInline(unescapeEntities(label || names.channel(what.slice(1)) || "a channel"))}`;
  if (what.startsWith("!")) return `**${escapeInline(unescapeEntities(toldBy(what, label)))}**`;
  const to = unescapeEntities(what);
  if (!/^(?:https?|mailto):/.test(to)) return escapeInline(unescapeEntities(label ?? what));
  const href = to.replaceAll("<", "%3C").replaceAll(">", "%3E");
  const isNamed = label && unescapeEntities(label) !== to && unescapeEntities(label).trim() !== "";
  return isNamed ? `[${escapeLabel(replaceEmoji(unescapeEntities(label)))}](<${href}>)` : `<${href}>`;
}

/**
 * The visible text of markup such as `<!subteam^S012|@waterers>`, `<!date^1709290060^{date}|the first of
 * March>` or `<!here>`.
 */
const toldBy = (what: string, label: string | undefined) =>
  (label || what.slice(1).split("^")[0]!).replace(/^@/, "");

/** Like `slackToMarkdown`, but plain text. */
export const slackToPlainText = (text: string, names: SlackNames): string =>
  text
    .split(/(<[^<>]+>)/)
    .map((piece, i) =>
      i % 2 === 1 ? formatPlainEntity(piece.slice(1, -1), names) : unescapeEntities(replaceEmoji(piece)),
    )
    .join("")
    .trim();

function formatPlainEntity(inside: string, names: SlackNames): string {
  const [what = "", label] = partsOf(inside).map((it) => it && unescapeEntities(it));
  if (what.startsWith("@")) return label || names.user(what.slice(1)) || "somebody";
  if (what.startsWith("#")) return `#${label || names.channel(what.slice(1)) || "a channel"}`;
  if (what.startsWith("!")) return toldBy(what, label);
  return label && label !== what ? `${label} (${what})` : what;
}

/** Converts Slack markup to Markdown. Code stays unchanged. */
export function slackToMarkdown(text: string, names: SlackNames): string {
  const turned = text
    .replace(QUOTE_TO_END, (_, rest: string) => rest.replace(/^/gm, "&gt; "))
    .split(/(```[\s\S]*?```)/)
    .map((part, i) => (i % 2 === 1 ? formatCodeBlock(part) : formatTextPart(part, names)))
    .join("");
  return turned
    .split(/(```[\s\S]*?```)/)
    .map((part, i) => (i % 2 === 1 ? part : endQuotesAndLists(part)))
    .join("")
    .trim();
}

/** `>>>` quotes everything that follows. */
const QUOTE_TO_END = /^&gt;&gt;&gt;\s?([\s\S]*)/m;

/** After a quotation or list, Markdown would treat the next line as part of it. */
const endQuotesAndLists = (part: string) =>
  part
    .replace(/^(>.*)\n(?=[^>\n])/gm, "$1\n\n")
    .replace(/^( *(?:-|\d{1,9}\.) .*)\n(?=[^\s>])(?!(?:-|\d{1,9}\.) )/gm, "$1\n\n");

const formatCode = (part: string) => unescapeEntities(part.replace(/<([^<>|]+)(?:\|[^<>]*)?>/g, "$1"));
const formatCodeBlock = (part: string) =>
  formatCode(part).replace(/^```\n?([\s\S]*?)\n?```$/, "\n```\n$1\n```\n");

/**
 * Private-use characters that enclose placeholders. A placeholder replaces a name, link or code while the
 * marks around it are converted.
 */
const [BEGIN, END] = ["\uE000", "\uE001"];
const PLACEHOLDER = /\uE000(\d+)\uE001/g;
/** Placeholders for Markdown characters while the text between them is escaped. */
const SIGNS: Record<string, string> = { "\uE002": "**", "\uE003": "*", "\uE004": "~~" };

function formatTextPart(part: string, names: SlackNames): string {
  const held: string[] = [];
  const signs = part
    .replace(/[\uE000-\uE004]/g, "")
    .replace(/`[^`\n]+`|<[^<>]+>/g, (it) => {
      held.push(it.startsWith("`") ? formatCode(it) : formatEntity(it.slice(1, -1), names));
      return `${BEGIN}${held.length - 1}${END}`;
    })
    .replace(BULLETS, "$1- ");
  const words = escapeMarkdown(unescapeEntities(replaceEmoji(formatMarks(signs, held))), { keepLists: true });
  return words
    .replace(/[\uE002-\uE004]/g, (it) => SIGNS[it]!)
    .replace(PLACEHOLDER, (_, i: string) => held[Number(i)]!);
}

/** Slack's own bullets. */
const BULLETS = /^( *)[•◦▪‣]\uFE0E?[ \t]+/gm;

/** An emoji name must be a whole word: `root:x:0:0` contains none. Several names may be adjacent. */
const EMOJI = /(?<![\p{L}\p{N}:])(?::[\p{L}\p{M}\w+'-]+:)+(?![\p{L}\p{N}])/gu;
const replaceEmoji = (piece: string) =>
  piece.replace(EMOJI, (names) =>
    names.replace(/:([^:]+):(?::skin-tone-\d:)?/g, (whole) => findSlackEmoji(whole)),
  );

const MARKS = [
  ["*", "\uE002"],
  ["_", "\uE003"],
  ["~", "\uE004"],
] as const;

/**
 * Converts Slack marks to Markdown. A mark must have text directly inside, and no letter or digit directly
 * outside. Names inside bold text lose their own bold marks.
 */
function formatMarks(text: string, held: string[]): string {
  return MARKS.reduce((words, [it, markdown]) => {
    const pair = new RegExp(
      `(?<![\\p{L}\\p{N}${it}])[${it}](?=[^\\s${it}])([^${it}\\n]*[^\\s${it}])[${it}](?![\\p{L}\\p{N}${it}])`,
      "gu",
    );
    return words.replace(pair, (_, inside: string) => {
      if (it === "*")
        for (const [, i] of inside.matchAll(PLACEHOLDER)) held[Number(i)] = stripBold(held[Number(i)]!);
      return `${markdown}${inside}${markdown}`;
    });
  }, text);
}

const stripBold = (entity: string) => entity.replace(/^\*\*([^]*)\*\*$/, "$1");
