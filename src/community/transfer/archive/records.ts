import { z } from "zod";
import { clean } from "./fields.ts";
import { collection, file, resource, use, version } from "./records/library.ts";
import { block, friendship, group, membership, user } from "./records/people.ts";
import { bookmark, follow, line, mute, start } from "./records/traces.ts";
import { conversation, discussion, message, messageReaction, post, reaction, reading, revision, vote } from "./records/talk.ts";

// The records of an archive, as docs/interchange.md tells them: what every adapter makes and the loader reads.

/** Who reads a community, what guests see of its people, and who gets in: from the widest to the narrowest. */
export const CHOICES = {
  audience: ["public", "private"],
  guestsSeePeople: ["public", "limited", "hidden"],
  registration: ["open", "approval", "closed"],
} as const;

/** What a community says of itself. What an account may do is never brought in. */
export const SETTINGS = [
  ...(["name", "sentence", "welcome", "about", "rules", "rulesVersion", "privacyText"] as const),
  ...(["audience", "guestsSeePeople", "registration"] as const),
] as const;
const setting = z
  .object({
    type: z.literal("setting"),
    key: z.enum(SETTINGS),
    value: z.union([z.string().transform(clean).pipe(z.string().max(20_000)), z.int().min(1).max(100_000)]),
  })
  .superRefine(({ key, value }, context) => {
    const choices: readonly unknown[] | undefined = key in CHOICES ? CHOICES[key as keyof typeof CHOICES] : undefined;
    if (choices && !choices.includes(value))
      context.addIssue({ code: "custom", path: ["value"], message: `is none of ${choices.map((it) => JSON.stringify(it)).join(", ")}` });
  });

export const Format = z.object({
  type: z.literal("format"),
  name: z.literal("community-ndjson", "is no format that is known here"),
  version: z.literal(1, "is a version that is not known here"),
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
  reading,
  conversation,
  message,
  messageReaction,
  file,
  resource,
  version,
  use,
  collection,
  line,
  start,
  follow,
  bookmark,
  mute,
  setting,
]);
export type ArchiveRecord = z.output<typeof ArchiveRecord>;
export type Kind = ArchiveRecord["type"];
export type Of<K extends Kind> = Extract<ArchiveRecord, { type: K }>;

/** The order in which the records of one batch are worked through: each type after those it names. */
export const KINDS: Kind[] = [
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
  "use",
  "collection",
  "conversation",
  "message",
  "message-reaction",
];
