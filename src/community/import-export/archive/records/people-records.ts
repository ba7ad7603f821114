import { z } from "zod";
import { HEADER_STYLES } from "#community/common";
import { AUDIENCES, LIMITS } from "#community/rules";
import { headingText, id, language, list, moment, paths, text } from "../record-fields.ts";
import { notificationFields } from "./notification-fields.ts";

export const user = z.object({
  type: z.literal("user"),
  id,
  username: text(200),
  name: headingText(LIMITS.displayName),
  email: z.email().max(LIMITS.email).nullish().catch(null),
  createdAt: moment.optional(),
  bio: text(10_000),
  pronouns: headingText(50),
  location: headingText(100),
  locale: language,
  timeZone: z.string().max(60).default("UTC"),
  /** Profile fields. Fields beyond the maximum are dropped with a warning; the person is still imported. */
  fields: z
    .array(
      z.object({
        label: headingText(60),
        value: headingText(1_000),
        audience: z.enum(AUDIENCES).catch("members"),
      }),
    )
    .default([]),
  /** Privacy settings, as `Privacy` in community/rules; missing keys have their defaults. */
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
  photoAlt: headingText(LIMITS.alt),
  headerStyle: z.enum(HEADER_STYLES).catch("meadow").default("meadow"),
  /** An erased account: its content remains without a name. */
  gone: z.boolean().default(false),
  ...notificationFields,
  /** Former usernames: each redirects until the given time. */
  formerNames: z
    .array(z.object({ name: z.string().max(60), until: moment }))
    .max(1_000)
    .default([]),
  oldPaths: paths,
});

/** Audience of group content. `members` restricts it to members even in a public group. */
export const audience = z.enum(["group", "members"]).default("group");

const groupPermission = z.enum(["members", "moderators"]).default("members");
export const group = z.object({
  type: z.literal("group"),
  id,
  slug: z.string().max(200).optional(),
  name: headingText(LIMITS.groupName.max).pipe(z.string().min(1, { error: "is empty" })),
  purpose: headingText(LIMITS.purpose),
  about: text(100_000),
  topic: headingText(60),
  visibility: z.enum(["public", "private", "secret"]).default("private"),
  joinPolicy: z.enum(["open", "request", "invite"]).default("request"),
  historyPolicy: z.enum(["shared", "from_joining"]).default("shared"),
  /** New members can read content from this time on. Missing if they could always read older content too. */
  sharedFrom: moment.nullish(),
  /** A group awaiting approval is visible to its owner and staff. */
  state: z.enum(["active", "pending"]).catch("active").default("active"),
  /** Scheduled visibility change, announced to the members. */
  opens: z
    .object({
      at: moment,
      visibility: z.enum(["private", "public"]),
      joinPolicy: z.enum(["open", "request", "invite"]),
      by: id.nullish(),
    })
    .nullish(),
  /** People who may reply in a public group: its members, or all its readers. */
  repliesBy: z.enum(["members", "readers"]).default("members"),
  /** Roles that may start discussions. */
  startsBy: groupPermission,
  /** Roles that may create events. */
  eventsBy: z.enum(["members", "established", "moderators"]).default("members"),
  /** Roles that may invite people. */
  invitesBy: groupPermission,
  owner: id.nullish(),
  rules: list(50),
  rulesVersion: z.int().min(1).max(100_000).default(1),
  rulesChangedAt: moment.nullish(),
  formerRules: z
    .array(z.object({ version: z.int().min(1).max(100_000), rules: list(50), at: moment, by: id.nullish() }))
    .max(1_000)
    .default([]),
  questions: list(10),
  headerStyle: user.shape.headerStyle,
  headerAlt: headingText(LIMITS.alt),
  photoAlt: headingText(LIMITS.alt),
  createdAt: moment.optional(),
  archivedAt: moment.nullish(),
  lastActiveAt: moment.optional(),
  oldPaths: paths,
});

const MEMBERSHIP_STATES = [
  "requested",
  "invited",
  "member",
  "declined",
  "withdrawn",
  "refused",
  "expired",
  "left",
  "removed",
  "banned",
] as const;
export const membership = z.object({
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
  pinnedAt: moment.nullish(),
  /** Reason of a rejection, removal or ban, shown to the person. */
  reason: headingText(LIMITS.reason),
  invitedBy: id.nullish(),
  bannedBy: id.nullish(),
  bannedUntil: moment.nullish(),
  createdAt: moment.nullish(),
  changedAt: moment.optional(),
});

export const friendship = z.object({
  type: z.literal("friendship"),
  from: id,
  to: id,
  state: z.enum(["pending", "friends", "declined"]).default("friends"),
  note: headingText(LIMITS.friendNote),
  createdAt: moment.optional(),
  changedAt: moment.optional(),
});

export const block = z.object({ type: z.literal("block"), from: id, to: id, createdAt: moment.optional() });
