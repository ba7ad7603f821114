import { z } from "zod";
import { LIMITS } from "#community/rules";
import { clean, heading, id, language, LONGEST, moment, number, paths, tags, text } from "../fields.ts";
import { audience } from "./people.ts";

export const file = z.object({
  type: z.literal("file"),
  id,
  name: heading(200),
  mime: z
    .string()
    .regex(/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/)
    .catch("application/octet-stream")
    .default("application/octet-stream"),
  /** Where it lies in the archive. */
  path: z.string().transform(clean).pipe(z.string().min(1).max(1_000)),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  owner: id.nullish(),
  /** A picture of a person or a group, or one that stands in a text; a file of the library is named by its resource. */
  as: z.enum(["photo", "header", "picture"]).optional(),
  user: id.optional(),
  group: id.optional(),
  width: number.nullish(),
  height: number.nullish(),
  alt: heading(LIMITS.alt),
  /** Something harmful was found in it: its bytes are gone, and what has it stays without. */
  state: z.literal("quarantined").optional().catch(undefined),
  /** Of one whose bytes are gone, how many it had. */
  size: number.optional(),
  createdAt: moment.optional(),
});

export const resource = z.object({
  type: z.literal("resource"),
  id,
  group: id.nullish(),
  owner: id,
  kind: z.enum(["link", "video", "file", "image", "document"]),
  title: heading(200).pipe(z.string().min(1, { error: "is empty" })),
  why: heading(LIMITS.why),
  url: z
    .string()
    .transform(clean)
    .pipe(z.url({ protocol: /^https?$/ }).max(LIMITS.url))
    .nullish(),
  siteName: heading(200),
  body: text(LONGEST),
  file: id.nullish(),
  tags,
  language,
  licence: heading(200),
  state: z.enum(["draft", "published", "hidden", "removed"]).default("published"),
  audience,
  version: z.int().min(1).max(100_000).default(1),
  /** How often anything about it was changed. */
  changes: z.int().min(0).max(1_000_000_000).default(0),
  editsBy: z.enum(["keeper", "members"]).default("keeper"),
  createdAt: moment,
  updatedAt: moment.nullish(),
  /** Worth a look on the first page; who said so has to have come along. */
  featuredAt: moment.nullish(),
  featuredBy: id.nullish(),
  /** When it was taken away: it can be brought back for thirty days from then on. */
  removedAt: moment.nullish(),
  removedBy: id.nullish(),
  removedReason: heading(LIMITS.reason),
  oldPaths: paths,
});

/** A state that a document or a file has had, the one that stands included. */
export const version = z.object({
  type: z.literal("version"),
  resource: id,
  number: z.int().min(1).max(100_000),
  by: id,
  note: heading(LIMITS.versionNote),
  body: text(LONGEST),
  file: id.nullish(),
  restoredFrom: z.int().min(1).max(100_000).nullish(),
  createdAt: moment,
});

/** `origin`: the resource was made from that post. */
export const use = z.object({ type: z.literal("use"), resource: id, post: id, origin: z.boolean().default(false) });

export const collection = z.object({
  type: z.literal("collection"),
  id,
  group: id.nullish(),
  curator: id,
  title: heading(120).pipe(z.string().min(1, { error: "is empty" })),
  about: text(10_000),
  audience,
  /** Who puts it in order beside its curator. */
  helpers: z
    .array(z.object({ user: id, by: id.nullish(), createdAt: moment.optional() }))
    .max(1_000)
    .default([]),
  items: z
    .array(z.object({ resource: id, position: number }))
    .max(5_000)
    .default([]),
  createdAt: moment,
});
