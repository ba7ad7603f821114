import { z } from "zod";
import { escapeInline, escapeLabel } from "#platform/markup";

// Messages as programs send them to Discord. Its Markdown is nearly that of the community.

const text = (most: number) => z.string().max(most, "This text is too long.").nullish();
const Embed = z.object({
  title: text(1_000),
  description: text(8_000),
  url: text(2_000),
  author: z.object({ name: text(1_000) }).nullish(),
  fields: z
    .array(z.object({ name: text(1_000), value: text(4_000) }))
    .max(25, "At most 25 fields.")
    .nullish(),
  footer: z.object({ text: text(4_000) }).nullish(),
});
export const DiscordMessage = z.object({
  content: text(32_000),
  embeds: z.array(Embed).max(10, "At most 10 embeds.").nullish(),
});

/** Converts a Discord message to Markdown: its content, then its embeds as quotations. */
export function formatDiscordMessage({ content, embeds }: z.output<typeof DiscordMessage>): string {
  return [formatText(content ?? ""), ...(embeds ?? []).map(formatEmbed)].filter(Boolean).join("\n\n");
}

function formatEmbed({ title, description, url, author, fields, footer }: z.output<typeof Embed>): string {
  const isLink = url && /^https?:/i.test(url) && URL.canParse(url);
  const head =
    title && (isLink ? `**[${escapeLabel(title)}](<${new URL(url).href}>)**` : `**${formatText(title)}**`);
  const parts = [
    author?.name && escapeInline(author.name),
    head,
    description && formatText(description),
    ...(fields ?? []).map(({ name, value }) => `**${formatText(name ?? "")}**\n${formatText(value ?? "")}`),
    footer?.text && escapeInline(footer.text),
  ];
  const whole = parts.filter(Boolean).join("\n\n");
  return whole
    .replace(/^/gm, "> ")
    .replace(/^> $/gm, ">")
    .replace(/^>$(?![\s\S])/, "");
}

/** Code stays unchanged; marks that only Discord has become plain text. */
const formatText = (source: string): string =>
  source
    .replaceAll("\r\n", "\n")
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, i) => (i % 2 === 1 ? part : formatMarks(part)))
    .join("")
    .trim();

const formatMarks = (part: string): string =>
  part
    .replace(/<a?:(\w{1,60}):\d{1,25}>/g, ":$1:")
    .replace(/<@[!&]?\d{1,25}>/g, "somebody")
    .replace(/<#\d{1,25}>/g, "#channel")
    .replace(/<t:(-?\d{1,12})(?::\w)?>/g, (_, seconds: string) => formatTime(Number(seconds)))
    .replace(/(?<![\w@])@(everyone|here)\b/g, "$1")
    .replace(/^-# /gm, "")
    .replace(/__(?=\S)([^_\n]+)__/g, "**$1**");

/** A time in UTC: the readers' time zones differ. */
function formatTime(seconds: number): string {
  const at = new Date(seconds * 1000);
  return Number.isNaN(at.getTime()) ? "" : `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
