import { z } from "zod";
import { HEADER_STYLES } from "#community/people";
import { AUDIENCES, LIMITS } from "#community/rules";
import { clean, heading, id, language, list, LONGEST, moment, number, paths, said, tags, text } from "./fields.ts";

// The records of an archive, as docs/interchange.md tells them: what every adapter makes and the loader reads.

const user = z.object({
  type: z.literal("user"),
  id,
  username: text(200),
  name: heading(LIMITS.displayName),
  email: z.email().max(LIMITS.email).nullish().catch(null),
  createdAt: moment.optional(),
  bio: text(10_000),
  pronouns: heading(50),
  location: heading(100),
  locale: language,
  timeZone: z.string().max(60).default("UTC"),
  fields: z
    .array(z.object({ label: heading(60), value: heading(1_000), audience: z.enum(AUDIENCES).catch("members") }))
    .max(20)
    .default([]),
  /** Who sees the profile, who may write: as `Privacy` in community/rules; what is absent has its default. */
  privacy: z
    .object({
      profile: z.enum(["everyone", "members", "friends"]),
      pronouns: z.enum(AUDIENCES),
      location: z.enum(AUDIENCES),
      bio: z.enum(AUDIENCES),
      messages: z.enum(["everyone", "connected", "groups", "friends", "nobody"]),
      friendRequests: z.enum(["everyone", "connected", "nobody"]),
      showOnline: z.boolean(),
      showReading: z.boolean(),
      showFriendCount: z.boolean(),
      inDirectory: z.boolean(),
      inSearchEngines: z.boolean(),
    })
    .partial()
    .default({}),
  photoAlt: heading(LIMITS.alt),
  headerStyle: z.enum(HEADER_STYLES).catch("meadow").default("meadow"),
  /** Somebody whose account is closed for good: what they wrote stays, unsigned. */
  gone: z.boolean().default(false),
  oldPaths: paths,
});

const group = z.object({
  type: z.literal("group"),
  id,
  slug: z.string().max(200).optional(),
  name: heading(LIMITS.groupName.max).pipe(z.string().min(1, { error: "is empty" })),
  purpose: heading(LIMITS.purpose),
  about: text(100_000),
  topic: heading(60),
  visibility: z.enum(["public", "private", "secret"]).default("private"),
  joinPolicy: z.enum(["open", "request", "invite"]).default("request"),
  historyPolicy: z.enum(["shared", "from_joining"]).default("shared"),
  owner: id.nullish(),
  rules: list(50),
  questions: list(10),
  headerStyle: user.shape.headerStyle,
  createdAt: moment.optional(),
  archivedAt: moment.nullish(),
  lastActiveAt: moment.optional(),
  oldPaths: paths,
});

const MEMBERSHIP_STATES = ["requested", "invited", "member", "declined", "withdrawn", "refused", "left", "removed", "banned"] as const;
const membership = z.object({
  type: z.literal("membership"),
  group: id,
  user: id,
  role: z.enum(["member", "moderator", "owner"]).default("member"),
  state: z.enum(MEMBERSHIP_STATES).default("member"),
  answers: z
    .array(z.object({ question: text(1_000), answer: text(10_000) }))
    .max(10)
    .default([]),
  notifyLevel: z.enum(["all", "highlights", "mentions", "mute"]).default("highlights"),
  bannedUntil: moment.nullish(),
  createdAt: moment.nullish(),
  changedAt: moment.optional(),
});

const friendship = z.object({
  type: z.literal("friendship"),
  from: id,
  to: id,
  state: z.enum(["pending", "friends", "declined"]).default("friends"),
  note: heading(LIMITS.friendNote),
  createdAt: moment.optional(),
  changedAt: moment.optional(),
});

/** One wants nothing to do with the other. */
const block = z.object({ type: z.literal("block"), from: id, to: id, createdAt: moment.optional() });

const discussion = z.object({
  type: z.literal("discussion"),
  id,
  group: id,
  author: id,
  title: heading(LIMITS.title.max),
  tags,
  language,
  archived: z.boolean().default(false),
  pinnedAt: moment.nullish(),
  pinnedBy: id.nullish(),
  pinnedUntil: moment.nullish(),
  lockedAt: moment.nullish(),
  lockedBy: id.nullish(),
  lockedReason: heading(300).nullish(),
  resolvedAt: moment.nullish(),
  resolvedBy: id.nullish(),
  createdAt: moment,
  oldPaths: paths,
});

const post = z.object({
  type: z.literal("post"),
  id,
  /** One of the two: where it stands. */
  discussion: id.optional(),
  resource: id.optional(),
  /** Told for those who read the archive; the order of the records is what counts. */
  number: number.optional(),
  author: id,
  replyTo: id.nullish(),
  body: said(LONGEST),
  state: z.enum(["published", "hidden", "deleted_by_author", "removed"]).default("published"),
  createdAt: moment,
  editedAt: moment.nullish(),
  oldPaths: paths,
});

const reaction = z.object({
  type: z.literal("reaction"),
  post: id,
  user: id,
  emoji: z.string().transform(clean).pipe(z.string().min(1).max(16)),
  createdAt: moment.optional(),
});

const reading = z.object({
  type: z.literal("reading"),
  discussion: id,
  user: id,
  number,
  level: z.enum(["watching", "tracking", "normal", "muted"]).default("normal"),
  createdAt: moment.optional(),
});

const conversation = z.object({
  type: z.literal("conversation"),
  id,
  kind: z.enum(["direct", "group"]),
  name: heading(100),
  creator: id,
  participants: z
    .array(
      z.object({
        user: id,
        state: z.enum(["request", "accepted", "deleted", "left"]).default("accepted"),
        read: number.default(0),
        joinedAfter: number.default(0),
        mutedUntil: moment.nullish(),
        archivedAt: moment.nullish(),
        createdAt: moment.optional(),
      }),
    )
    .min(1)
    .max(200),
  createdAt: moment,
});

const message = z.object({
  type: z.literal("message"),
  id,
  conversation: id,
  author: id,
  body: said(LONGEST),
  createdAt: moment,
  editedAt: moment.nullish(),
  deletedAt: moment.nullish(),
});

const file = z.object({
  type: z.literal("file"),
  id,
  name: heading(200),
  mime: z
    .string()
    .regex(/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/)
    .catch("application/octet-stream")
    .default("application/octet-stream"),
  /** Where it lies in the archive. */
  path: z.string().min(1).max(1_000),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  owner: id.nullish(),
  /** A picture of a person or a group; a file of the library is named by its resource. */
  as: z.enum(["photo", "header"]).optional(),
  user: id.optional(),
  group: id.optional(),
  width: number.nullish(),
  height: number.nullish(),
  alt: heading(LIMITS.alt),
  createdAt: moment.optional(),
});

const resource = z.object({
  type: z.literal("resource"),
  id,
  group: id.nullish(),
  owner: id,
  kind: z.enum(["link", "file", "document"]),
  title: heading(200).pipe(z.string().min(1, { error: "is empty" })),
  why: heading(LIMITS.why),
  url: z
    .url({ protocol: /^https?$/ })
    .max(LIMITS.url)
    .nullish(),
  siteName: heading(200),
  body: text(LONGEST),
  file: id.nullish(),
  tags,
  language,
  licence: heading(200),
  state: z.enum(["draft", "published", "hidden", "removed"]).default("published"),
  version: z.int().min(1).max(100_000).default(1),
  createdAt: moment,
  updatedAt: moment.nullish(),
  oldPaths: paths,
});

const use = z.object({ type: z.literal("use"), resource: id, post: id });

const collection = z.object({
  type: z.literal("collection"),
  id,
  group: id.nullish(),
  curator: id,
  title: heading(120).pipe(z.string().min(1, { error: "is empty" })),
  about: text(10_000),
  items: z
    .array(z.object({ resource: id, position: number }))
    .max(5_000)
    .default([]),
  createdAt: moment,
});

/** What a community says of itself. What an account may do, and who gets in, is never brought in. */
export const SETTINGS = ["name", "sentence", "welcome", "about", "rules", "rulesVersion", "privacyText"] as const;
const setting = z.object({
  type: z.literal("setting"),
  key: z.enum(SETTINGS),
  value: z.union([z.string().max(20_000), z.int().min(1).max(100_000)]),
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
  reaction,
  reading,
  conversation,
  message,
  file,
  resource,
  use,
  collection,
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
  "resource",
  "discussion",
  "post",
  "reaction",
  "reading",
  "use",
  "collection",
  "conversation",
  "message",
];
