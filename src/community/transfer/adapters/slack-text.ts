import { emojiOf } from "./emoji.ts";

export type Names = { user: (id: string) => string | undefined; channel: (id: string) => string | undefined };

const plain = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** What stands between `<` and `>`: somebody, a channel, everybody, or a link. */
function entityOf(inside: string, names: Names): string {
  const [what, label] = inside.split("|") as [string, string?];
  if (what.startsWith("@")) return `**${label ?? names.user(what.slice(1)) ?? "somebody"}**`;
  if (what.startsWith("#")) return `#${label ?? names.channel(what.slice(1)) ?? "a channel"}`;
  if (what.startsWith("!")) return `**${(label ?? what.slice(1)).replace(/^@/, "").split("^")[0]}**`;
  const to = plain(what);
  if (!/^(?:https?|mailto):/.test(to)) return plain(label ?? what);
  const href = to.replaceAll("<", "%3C").replaceAll(">", "%3E");
  return label && plain(label) !== to ? `[${plain(label).replace(/[[\]]/g, "")}](<${href}>)` : `<${href}>`;
}

/** The same as plain words, where nothing is read as Markdown. */
export const slackPlain = (text: string, names: Names): string =>
  text
    .split(/(<[^<>]+>)/)
    .map((piece, i) => (i % 2 === 1 ? plainEntityOf(piece.slice(1, -1), names) : plain(withEmoji(piece))))
    .join("")
    .trim();

function plainEntityOf(inside: string, names: Names): string {
  const [what, label] = inside.split("|").map(plain) as [string, string?];
  if (/^[@#!]/.test(what)) return entityOf(inside, names).replaceAll("**", "");
  return label && label !== what ? `${label} (${what})` : what;
}

/** Slack's own signs as Markdown. What stands in code is left as it is. */
export function slackText(text: string, names: Names): string {
  const turned = text
    .replace(TO_THE_END, (_, rest: string) => rest.replace(/^/gm, "&gt; "))
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, i) => (i % 2 === 1 ? codeOf(part) : wordsOf(part, names)))
    .join("");
  return turned
    .split(/(```[\s\S]*?```)/)
    .map((part, i) => (i % 2 === 1 ? part : afterQuotations(part)))
    .join("")
    .trim();
}

/** Three of these quote everything that follows. */
const TO_THE_END = /^&gt;&gt;&gt;\s?([\s\S]*)/m;

/** After quoted lines Markdown would take the answer for more of the quotation. */
const afterQuotations = (part: string) => part.replace(/^(>.*)\n(?=[^>\n])/gm, "$1\n\n");

const codeOf = (part: string) =>
  plain(part.replace(/<([^<>|]+)(?:\|[^<>]*)?>/g, "$1")).replace(/^```\n?([\s\S]*?)\n?```$/, "\n```\n$1\n```\n");

function wordsOf(part: string, names: Names): string {
  return part
    .split(/(<[^<>]+>)/)
    .map((piece, i) => (i % 2 === 1 ? entityOf(piece.slice(1, -1), names) : marksOf(piece)))
    .join("");
}

const withEmoji = (piece: string) => piece.replace(/:([\w+-]+):(?::skin-tone-\d:)?/g, (whole) => emojiOf(whole));

const marksOf = (piece: string) =>
  plain(
    withEmoji(
      piece
        .replace(/(^|[\s(])\*([^*\n]+)\*(?=$|[\s).,!?:;])/g, "$1**$2**")
        .replace(/(^|[\s(])_([^_\n]+)_(?=$|[\s).,!?:;])/g, "$1*$2*")
        .replace(/(^|[\s(])~([^~\n]+)~(?=$|[\s).,!?:;])/g, "$1~~$2~~"),
    ),
  );
