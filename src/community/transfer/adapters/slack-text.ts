import { escapeInline, escapeLabel, escapeMarkdown } from "#platform/markup";
import { slackEmojiOf } from "./slack-emoji.ts";

export type Names = { user: (id: string) => string | undefined; channel: (id: string) => string | undefined };

export const plain = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** A label may hold the sign that parts it from what it labels. */
function partsOf(inside: string): [what: string, label: string | undefined] {
  const at = inside.indexOf("|");
  return at < 0 ? [inside, undefined] : [inside.slice(0, at), inside.slice(at + 1)];
}

/** Markup between `<` and `>`: a person, a channel, everyone, or a link. */
function entityOf(inside: string, names: Names): string {
  const [what, label] = partsOf(inside);
  if (what.startsWith("@")) return `**${escapeInline(plain(label || names.user(what.slice(1)) || "somebody"))}**`;
  if (what.startsWith("#")) return `#${escapeInline(plain(label || names.channel(what.slice(1)) || "a channel"))}`;
  if (what.startsWith("!")) return `**${escapeInline(plain(toldBy(what, label)))}**`;
  const to = plain(what);
  if (!/^(?:https?|mailto):/.test(to)) return escapeInline(plain(label ?? what));
  const href = to.replaceAll("<", "%3C").replaceAll(">", "%3E");
  const isNamed = label && plain(label) !== to && plain(label).trim() !== "";
  return isNamed ? `[${escapeLabel(withEmoji(plain(label)))}](<${href}>)` : `<${href}>`;
}

/** `<!subteam^S012|@waterers>`, `<!date^1709290060^{date}|the first of March>`, `<!here>`. */
const toldBy = (what: string, label: string | undefined) => (label || what.slice(1).split("^")[0]!).replace(/^@/, "");

/** Like `slackToMarkdown`, but plain text. */
export const slackPlain = (text: string, names: Names): string =>
  text
    .split(/(<[^<>]+>)/)
    .map((piece, i) => (i % 2 === 1 ? plainEntityOf(piece.slice(1, -1), names) : plain(withEmoji(piece))))
    .join("")
    .trim();

function plainEntityOf(inside: string, names: Names): string {
  const [what, label] = partsOf(inside).map((it) => it && plain(it)) as [string, string | undefined];
  if (what.startsWith("@")) return label || names.user(what.slice(1)) || "somebody";
  if (what.startsWith("#")) return `#${label || names.channel(what.slice(1)) || "a channel"}`;
  if (what.startsWith("!")) return toldBy(what, label);
  return label && label !== what ? `${label} (${what})` : what;
}

/** Converts Slack markup to Markdown. Code stays unchanged. */
export function slackText(text: string, names: Names): string {
  const turned = text
    .replace(TO_THE_END, (_, rest: string) => rest.replace(/^/gm, "&gt; "))
    .split(/(```[\s\S]*?```)/)
    .map((part, i) => (i % 2 === 1 ? blockOf(part) : wordsOf(part, names)))
    .join("");
  return turned
    .split(/(```[\s\S]*?```)/)
    .map((part, i) => (i % 2 === 1 ? part : withEnds(part)))
    .join("")
    .trim();
}

/** `>>>` quotes everything that follows. */
const TO_THE_END = /^&gt;&gt;&gt;\s?([\s\S]*)/m;

/** After a quotation or list, Markdown would treat the next line as part of it. */
const withEnds = (part: string) =>
  part.replace(/^(>.*)\n(?=[^>\n])/gm, "$1\n\n").replace(/^( *(?:-|\d{1,9}\.) .*)\n(?=[^\s>])(?!(?:-|\d{1,9}\.) )/gm, "$1\n\n");

const codeOf = (part: string) => plain(part.replace(/<([^<>|]+)(?:\|[^<>]*)?>/g, "$1"));
const blockOf = (part: string) => codeOf(part).replace(/^```\n?([\s\S]*?)\n?```$/, "\n```\n$1\n```\n");

/**
 * Stand for names, links and code while the marks around them are read: private-use characters in Unicode.
 */
const [BEGIN, END] = ["\uE000", "\uE001"];
const HELD = /\uE000(\d+)\uE001/g;
/** And these for signs of Markdown, while the text between them is escaped. */
const SIGNS: Record<string, string> = { "\uE002": "**", "\uE003": "*", "\uE004": "~~" };

function wordsOf(part: string, names: Names): string {
  const held: string[] = [];
  const signs = part
    .replace(/[\uE000-\uE004]/g, "")
    .replace(/`[^`\n]+`|<[^<>]+>/g, (it) => {
      held.push(it.startsWith("`") ? codeOf(it) : entityOf(it.slice(1, -1), names));
      return `${BEGIN}${held.length - 1}${END}`;
    })
    .replace(BULLETS, "$1- ");
  const words = escapeMarkdown(plain(withEmoji(marked(signs, held))), { keepLists: true });
  return words.replace(/[\uE002-\uE004]/g, (it) => SIGNS[it]!).replace(HELD, (_, i: string) => held[Number(i)]!);
}

/** Slack's own bullets. */
const BULLETS = /^( *)[•◦▪‣]\uFE0E?[ \t]+/gm;

/** Names are whole words: `root:x:0:0` has none in it. Several may touch. */
const EMOJI = /(?<![\p{L}\p{N}:])(?::[\p{L}\p{M}\w+'-]+:)+(?![\p{L}\p{N}])/gu;
const withEmoji = (piece: string) =>
  piece.replace(EMOJI, (names) => names.replace(/:([^:]+):(?::skin-tone-\d:)?/g, (whole) => slackEmojiOf(whole)));

const MARKS = [
  ["*", "\uE002"],
  ["_", "\uE003"],
  ["~", "\uE004"],
] as const;

/**
 * A mark touches its word on the inside and no letter on the outside. Inside bold text a name is bold
 * already.
 */
function marked(text: string, held: string[]): string {
  return MARKS.reduce((words, [it, markdown]) => {
    const pair = new RegExp(`(?<![\\p{L}\\p{N}${it}])[${it}](?=[^\\s${it}])([^${it}\\n]*[^\\s${it}])[${it}](?![\\p{L}\\p{N}${it}])`, "gu");
    return words.replace(pair, (_, inside: string) => {
      if (it === "*") for (const [, i] of inside.matchAll(HELD)) held[Number(i)] = unmarked(held[Number(i)]!);
      return `${markdown}${inside}${markdown}`;
    });
  }, text);
}

const unmarked = (entity: string) => entity.replace(/^\*\*([^]*)\*\*$/, "$1");
