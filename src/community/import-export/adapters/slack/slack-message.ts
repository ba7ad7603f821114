import { z } from "zod";
import { formatAttachment, SlackAttachment } from "./slack-attachments.ts";
import { Blocks, blocksToSlackText } from "./slack-blocks.ts";
import { type SlackNames, slackToMarkdown } from "./slack-text.ts";

/** A message as programs send it to Slack. Parts that no Slack message has are ignored. */
type SlackMessage = { text?: string | undefined; blocks?: unknown; attachments?: unknown };

/** Names of people and channels are unknown outside Slack. */
const NO_NAMES: SlackNames = { user: () => undefined, channel: () => undefined };
const Attachments = z.array(SlackAttachment).catch([]);

/**
 * Converts a Slack message to Markdown: its blocks, or else its text, then its attachments as quotations. Empty for a
 * message without text.
 */
export function formatSlackMessage({ text, blocks, attachments }: SlackMessage): string {
  const main = blocksToSlackText(Blocks.parse(blocks)) || (text ?? "");
  const quoted = Attachments.parse(attachments ?? [])
    .map((it) => formatAttachment(it, NO_NAMES))
    .filter((it) => /[^>\s]/.test(it));
  return [slackToMarkdown(main, NO_NAMES), ...quoted].filter(Boolean).join("\n\n");
}
