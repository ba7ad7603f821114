import { z } from "zod";
import { escapeLabel } from "#platform/markup";
import { Blocks, blocksToSlackText } from "./slack-blocks.ts";
import { type SlackNames, unescapeEntities, slackToMarkdown } from "./slack-text.ts";

// Attachments of a message: bot output, and text of another message or page.

const text = z.string().nullish().catch(null);
export const SlackAttachment = z.object({
  text,
  blocks: Blocks,
  fallback: text,
  title: text,
  title_link: text,
  pretext: text,
  author_name: text,
  fields: z
    .array(z.object({ title: text, value: text }))
    .nullish()
    .catch(null),
});

/** Formats an attachment as a quotation; for an empty attachment, only the quote mark. */
export function formatAttachment(it: z.output<typeof SlackAttachment>, names: SlackNames): string {
  const words = it.text || blocksToSlackText(it.blocks) || (it.fields?.length ? "" : it.fallback);
  const fields = (it.fields ?? []).map(({ title, value }) => [title, value].filter(Boolean).join(": "));
  const parts = [it.pretext, words, ...fields].flatMap((part) =>
    part ? [slackToMarkdown(part, names)] : [],
  );
  const head = [
    it.author_name && `${slackToMarkdown(it.author_name, names)}:`,
    formatAttachmentTitle(it, names),
  ];
  return [...head, ...parts].filter(Boolean).join("\n\n").replace(/^/gm, "> ");
}

function formatAttachmentTitle(
  { title, title_link }: z.output<typeof SlackAttachment>,
  names: SlackNames,
): string | null | undefined {
  if (!title || !title_link) return title && slackToMarkdown(title, names);
  const address = encodeURI(title_link.replaceAll("&amp;", "&").toWellFormed());
  return `[${escapeLabel(unescapeEntities(title))}](<${address}>)`;
}
