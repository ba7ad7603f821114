import { z } from "zod";
import { escapeLabel } from "#platform/markup";
import { Blocks, textOfBlocks } from "./slack-blocks.ts";
import { type Names, plain, slackText } from "./slack-text.ts";

// Attachments of a message: bot output, and text of another message or page.

const text = z.string().nullish().catch(null);
export const Card = z.object({
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

/** An attachment as a quotation; only the quote mark if it is empty. */
export function quotedCard(it: z.output<typeof Card>, names: Names): string {
  const words = it.text || textOfBlocks(it.blocks) || (it.fields?.length ? "" : it.fallback);
  const fields = (it.fields ?? []).map(({ title, value }) => [title, value].filter(Boolean).join(": "));
  const parts = [it.pretext, words, ...fields].flatMap((part) => (part ? [slackText(part, names)] : []));
  const head = [it.author_name && `${slackText(it.author_name, names)}:`, titleOf(it, names)];
  return [...head, ...parts].filter(Boolean).join("\n\n").replace(/^/gm, "> ");
}

function titleOf({ title, title_link }: z.output<typeof Card>, names: Names): string | null | undefined {
  if (!title || !title_link) return title && slackText(title, names);
  return `[${escapeLabel(plain(title))}](<${encodeURI(title_link.replaceAll("&amp;", "&").toWellFormed())}>)`;
}
