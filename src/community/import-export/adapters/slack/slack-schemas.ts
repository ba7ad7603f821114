import { z } from "zod";
import { Blocks } from "./slack-blocks.ts";
import { SlackAttachment } from "./slack-attachments.ts";

const text = z.string().nullish().catch(null);
export const User = z.object({
  id: z.string(),
  name: text,
  real_name: text,
  tz: text,
  profile: z
    .object({ real_name: text, display_name: text, email: text, title: text })
    .partial()
    .catch({})
    .default({}),
});
export const Channel = z.object({
  id: z.string(),
  name: z.string().min(1),
  created: z.coerce.number().min(0).max(100_000_000_000).catch(0),
  creator: text,
  is_archived: z.boolean().catch(false).default(false),
  members: z.array(z.string()).catch([]).default([]),
  purpose: z.object({ value: z.string() }).nullish().catch(null),
});
export type Channel = z.output<typeof Channel>;
const MOMENT = /^\d{1,12}(?:\.\d+)?$/;
export const Message = z.object({
  ts: z.string().regex(MOMENT),
  thread_ts: text,
  reply_count: z.number().nullish().catch(null),
  parent_user_id: text,
  subtype: text,
  user: text,
  username: text,
  bot_id: text,
  text,
  blocks: Blocks,
  comment: z.object({ user: text, comment: text }).nullish().catch(null),
  user_profile: z.object({ display_name: text, real_name: text, name: text }).nullish().catch(null),
  edited: z
    .object({ ts: z.string().regex(MOMENT) })
    .nullish()
    .catch(null),
  attachments: z.array(SlackAttachment).nullish().catch(null),
  files: z
    .array(z.object({ name: text, title: text, url_private: text, permalink: text }))
    .nullish()
    .catch(null),
  reactions: z
    .array(z.object({ name: z.string(), users: z.array(z.string()).catch([]) }))
    .nullish()
    .catch(null),
});
export type Message = z.output<typeof Message>;
