import { z } from "zod";
import { LIMITS } from "#community/rules";
import {
  cleanText,
  headingText,
  id,
  language,
  MAX_TEXT_LENGTH,
  moment,
  number,
  paths,
  tags,
  text,
} from "../record-fields.ts";
import { audience } from "./people-records.ts";

export const file = z.object({
  type: z.literal("file"),
  id,
  name: headingText(200),
  mime: z
    .string()
    .regex(/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/)
    .catch("application/octet-stream")
    .default("application/octet-stream"),
  /** Path in the archive. */
  path: z.string().transform(cleanText).pipe(z.string().min(1).max(1_000)),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  owner: id.nullish(),
  /**
   * Set for profile pictures, group pictures and pictures in texts. Unset for library files, which their
   * resource references.
   */
  as: z.enum(["photo", "header", "picture"]).optional(),
  user: id.optional(),
  group: id.optional(),
  width: number.nullish(),
  height: number.nullish(),
  alt: headingText(LIMITS.alt),
  /**
   * The scanner found malware: the bytes were deleted, and the content that used the file remains without
   * it.
   */
  state: z.literal("quarantined").optional().catch(undefined),
  /** Size of a file whose bytes are gone. */
  size: number.optional(),
  createdAt: moment.optional(),
});

export const resource = z.object({
  type: z.literal("resource"),
  id,
  group: id.nullish(),
  owner: id,
  kind: z.enum(["link", "video", "file", "image", "document"]),
  title: headingText(200).pipe(z.string().min(1, { error: "is empty" })),
  why: headingText(LIMITS.why),
  url: z
    .string()
    .transform(cleanText)
    .pipe(z.url({ protocol: /^https?$/ }).max(LIMITS.url))
    .nullish(),
  siteName: headingText(200),
  body: text(MAX_TEXT_LENGTH),
  file: id.nullish(),
  tags,
  language,
  licence: headingText(200),
  state: z.enum(["draft", "published", "hidden", "removed"]).default("published"),
  audience,
  version: z.int().min(1).max(100_000).default(1),
  /** Number of changes to the resource. */
  changes: z.int().min(0).max(1_000_000_000).default(0),
  /** Archives of earlier versions contain `keeper` instead of `owner`. */
  editsBy: z
    .enum(["owner", "members", "keeper"])
    .default("owner")
    .transform((editor) => (editor === "keeper" ? "owner" : editor)),
  createdAt: moment,
  updatedAt: moment.nullish(),
  /** Featured on the front page; the person who featured it must be in the archive. */
  featuredAt: moment.nullish(),
  featuredBy: id.nullish(),
  /** Time of the removal. The resource can be restored for thirty days after the removal. */
  removedAt: moment.nullish(),
  removedBy: id.nullish(),
  removedReason: headingText(LIMITS.reason),
  /** Since when the resource is hidden after several reports. */
  hiddenAt: moment.nullish(),
  /** How often the resource was hidden after several reports. */
  hiddenTimes: z.int().min(0).max(1_000).default(0),
  /** When the resource was last shown again after it had been hidden. */
  shownAt: moment.nullish(),
  oldPaths: paths,
});

/** A version of a document or file, the current one included. */
export const version = z.object({
  type: z.literal("version"),
  resource: id,
  number: z.int().min(1).max(100_000),
  by: id,
  note: headingText(LIMITS.versionNote),
  body: text(MAX_TEXT_LENGTH),
  file: id.nullish(),
  restoredFrom: z.int().min(1).max(100_000).nullish(),
  createdAt: moment,
});

/** A reference from a post to a resource. `origin`: the resource was created from that post. */
export const use = z.object({
  type: z.literal("use"),
  resource: id,
  post: id,
  origin: z.boolean().default(false),
});

export const collection = z.object({
  type: z.literal("collection"),
  id,
  group: id.nullish(),
  curator: id,
  title: headingText(120).pipe(z.string().min(1, { error: "is empty" })),
  about: text(10_000),
  audience,
  /** Curators other than the main one. */
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
