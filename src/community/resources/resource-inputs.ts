import { z } from "zod";
import { draftVersion, id, requiredText, optionalTags, optionalText, tags } from "#community/common";
import { LIMITS } from "#community/rules";

const commonFields = {
  title: requiredText("The title", "Enter a title.", 200),
  why: optionalText("The reason", LIMITS.why),
  tags,
  /** If omitted, the resource is site-wide. */
  groupId: z.union([z.literal("").transform(() => undefined), id]).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2}$/, "A language code has two letters.")
    .default("en"),
  licence: optionalText("The licence", 80),
};

const webAddress = z
  .string()
  .trim()
  .max(LIMITS.url, "That address is too long.")
  .refine(
    (text) => URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol),
    "An address begins with https:// or http://.",
  );

/** The post from which the resource is saved. */
const originFields = { postId: z.union([z.literal("").transform(() => undefined), id]).optional() };

export const NewLink = z.object({ ...commonFields, ...originFields, url: webAddress });
export const NewDocument = z.object({
  ...commonFields,
  ...originFields,
  body: requiredText("The document", "Write the document first.", LIMITS.document),
  draftVersion,
});
export const NewFile = z.object({ ...commonFields, uploadId: id });
/**
 * `changes` is the change count when the form was rendered; `reason` is needed for another owner's resource.
 */
const editFields = {
  resourceId: id,
  changes: z.coerce.number().int().min(0).max(1_000_000_000),
  reason: optionalText("The reason", LIMITS.reason),
};
const versionNoteField = optionalText("The note", LIMITS.versionNote);

/** Omitted fields stay unchanged. Fields that this kind of resource does not have are ignored. */
export const ResourceChange = z.object({
  ...editFields,
  title: commonFields.title.optional(),
  why: commonFields.why.unwrap().optional(),
  tags: optionalTags,
  language: commonFields.language.unwrap().optional(),
  licence: commonFields.licence.unwrap().optional(),
  url: webAddress.optional(),
  body: NewDocument.shape.body.optional(),
  editsBy: z.enum(["owner", "members"]).optional(),
  note: versionNoteField,
  draftVersion,
});
/** Suggestion of a new address for a link, and the decision on it. */
export const NewSuggestion = z.object({ resourceId: id, url: webAddress });
export const SuggestionAnswer = z.object({
  resourceId: id,
  suggestionId: id,
  accept: z.union([z.boolean(), z.enum(["yes", "no"]).transform((value) => value === "yes")]),
});
export const NewFileVersion = z.object({ ...editFields, uploadId: id, note: versionNoteField });
export const VersionRestore = z.object({
  ...editFields,
  version: z.coerce.number().int().min(1).max(1_000_000_000),
});
/**
 * `groupId` is the target (site-wide if omitted), `visibility` the visibility that was shown to the person
 * moving the resource.
 */
export const ResourceMove = z.object({
  resourceId: id,
  groupId: commonFields.groupId,
  visibility: z.enum(["everybody", "public", "private", "secret"]),
  reason: editFields.reason,
});
export const ResourceRemoval = z.object({ resourceId: id, reason: editFields.reason });

const collectionFields = {
  title: requiredText("The name", "Enter a name for the collection.", LIMITS.collections.title),
  about: optionalText("The description", LIMITS.collections.about),
};
/** If `groupId` is omitted, the collection is site-wide. */
export const NewCollection = z.object({ ...collectionFields, groupId: commonFields.groupId });
export const CollectionChange = z.object({ collectionId: id, ...collectionFields });
export const CollectionItem = z.object({ collectionId: id, resourceId: id });
export const CollectionItemMove = CollectionItem.extend({ way: z.enum(["up", "down", "top"]) });
export const NewCurator = z.object({ collectionId: id, username: z.string().trim().toLowerCase().max(60) });
export const ResourceLevel = z.object({ resourceId: id, level: z.enum(["watching", "normal", "muted"]) });
