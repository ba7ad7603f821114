import { z } from "zod";
import { formatSlackMessage } from "#community/import-export";
import { IncomingMessage } from "#community/webhooks";
import { invalid, Refusal } from "#platform/refusal";
import { DiscordMessage, formatDiscordMessage } from "./discord-message.ts";

/** Shape of a payload: Kith's own, or that of Slack's or Discord's incoming webhooks. */
export type PayloadShape = "own" | "slack" | "discord";
type ParsedPayload = { shape: PayloadShape; message: IncomingMessage };

const SlackPayload = z.object({
  text: z.string("Enter a text.").optional(),
  blocks: z.array(z.unknown(), "Enter a list of blocks.").max(50, "At most 50 blocks.").nullish(),
  attachments: z
    .array(z.unknown(), "Enter a list of attachments.")
    .max(20, "At most 20 attachments.")
    .nullish(),
});
const SLACK_FIELDS = [
  "attachments",
  "blocks",
  "channel",
  "icon_emoji",
  "icon_url",
  "link_names",
  "mrkdwn",
  "username",
];
/** Links with a label, mentions and escaped signs, which only Slack's markup has. */
const SLACK_MARKUP = /<[^<>|\s]+\|[^<>]+>|<[!@#][^<>]+>|&(?:amp|lt|gt);/;

/**
 * Parses the JSON of a message. Its fields tell its shape; a `text` alone is Slack's if it has markup that only Slack
 * knows.
 * @throws `invalid` on the field that is missing, too long or of another type
 */
export function parsePayload(json: unknown, isSlackAddress: boolean): ParsedPayload {
  const found = z.record(z.string(), z.unknown()).safeParse(json);
  if (!found.success) throw new Refusal("invalid", "Send a JSON object with the field “text”.");
  const payload = found.data;
  const shape = findShape(payload, isSlackAddress);
  if (shape === "own") return { shape, message: parseFields(IncomingMessage, payload) };
  const text =
    shape === "slack"
      ? formatSlackMessage(parseFields(SlackPayload, payload))
      : formatDiscordMessage(parseFields(DiscordMessage, payload));
  const { text: checked } = parseFields(IncomingMessage, { text }, shape === "discord" ? "content" : "text");
  return { shape, message: { text: checked } };
}

function findShape(payload: Record<string, unknown>, isSlackAddress: boolean): PayloadShape {
  if (isSlackAddress) return "slack";
  if ("content" in payload || "embeds" in payload) return "discord";
  if ("title" in payload) return "own";
  if (SLACK_FIELDS.some((name) => name in payload)) return "slack";
  return typeof payload["text"] === "string" && SLACK_MARKUP.test(payload["text"]) ? "slack" : "own";
}

/** `textField`: name under which an error of the text is reported. */
function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  textField = "text",
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  const field = path.join(".");
  throw invalid(field === "text" ? textField : field, message);
}
