import { z } from "zod";
import { isKeyOf } from "#platform/objects";
import { SITE_RULE_LIMITS } from "#community/rules";
import { cleanText } from "./record-fields.ts";
import { attendance, datePoll, datePollAnswer, event, eventSeries } from "./records/calendar-records.ts";
import { collection, file, resource, use, version } from "./records/library-records.ts";
import { block, friendship, group, membership, user } from "./records/people-records.ts";
import { bookmark, follow, activityEntry, mute, startHereItem } from "./records/activity-records.ts";
import {
  conversation,
  discussion,
  message,
  messageReaction,
  post,
  reaction,
  readPosition,
  revision,
  vote,
} from "./records/discussion-records.ts";

// The records of an archive as documented in docs/interchange.md: adapters create them and the loader reads
// them.

/**
 * Allowed values of three settings, widest first: who can read, what guests see of people, and registration.
 */
export const SETTING_CHOICES = {
  audience: ["public", "private"],
  guestsSeePeople: ["public", "limited", "hidden"],
  registration: ["open", "approval", "closed"],
} as const;

/** Descriptive settings of a community. Permissions are never imported. */
export const SETTING_KEYS = [
  ...(["name", "sentence", "welcome", "about", "rules", "rulesVersion", "privacyText"] as const),
  ...(["siteRules", "audience", "guestsSeePeople", "registration"] as const),
] as const;
/** Rules of the community that decisions cite. */
const siteRules = z
  .array(
    z.object({
      id: z.string().regex(/^[a-z0-9-]{1,40}$/),
      text: z.string().transform(cleanText).pipe(z.string().min(1).max(SITE_RULE_LIMITS.text)),
      isRetired: z.boolean().default(false),
    }),
  )
  .max(SITE_RULE_LIMITS.count);
const setting = z
  .object({
    type: z.literal("setting"),
    key: z.enum(SETTING_KEYS),
    value: z.union([
      z.string().transform(cleanText).pipe(z.string().max(20_000)),
      z.int().min(1).max(100_000),
      siteRules,
    ]),
  })
  .superRefine(({ key, value }, context) => {
    if (Array.isArray(value) !== (key === "siteRules"))
      context.addIssue({
        code: "custom",
        path: ["value"],
        message: key === "siteRules" ? "is not a list of rules" : "is not a text",
      });
    const choices: readonly unknown[] | undefined = isKeyOf(SETTING_CHOICES, key)
      ? SETTING_CHOICES[key]
      : undefined;
    if (choices && !choices.includes(value))
      context.addIssue({
        code: "custom",
        path: ["value"],
        message: `is not one of ${choices.map((it) => JSON.stringify(it)).join(", ")}`,
      });
  });

export const Format = z.object({
  type: z.literal("format"),
  name: z.literal("community-ndjson", "is not a known format"),
  version: z.literal(1, "is not a known version"),
});

export const ArchiveRecord = z.discriminatedUnion("type", [
  user,
  group,
  membership,
  friendship,
  block,
  discussion,
  post,
  revision,
  vote,
  reaction,
  readPosition,
  conversation,
  message,
  messageReaction,
  file,
  resource,
  version,
  use,
  collection,
  activityEntry,
  startHereItem,
  follow,
  bookmark,
  mute,
  eventSeries,
  event,
  attendance,
  datePoll,
  datePollAnswer,
  setting,
]);
export type ArchiveRecord = z.output<typeof ArchiveRecord>;
export type RecordKind = ArchiveRecord["type"];
export type RecordOf<K extends RecordKind> = Extract<ArchiveRecord, { type: K }>;

/** Order in which the records of a batch are written: each type after those it references. */
export const RECORD_KINDS: RecordKind[] = [
  "setting",
  "user",
  "group",
  "file",
  "membership",
  "friendship",
  "block",
  "mute",
  "resource",
  "version",
  "discussion",
  "post",
  "revision",
  "vote",
  "reaction",
  "reading",
  "line",
  "start",
  "follow",
  "bookmark",
  "event-series",
  "event",
  "attendance",
  "date-poll",
  "date-poll-answer",
  "use",
  "collection",
  "conversation",
  "message",
  "message-reaction",
];
