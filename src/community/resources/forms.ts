import { z } from "zod";
import { clientId, id, neededText, optionalText, tags } from "#community/common";
import { LIMITS } from "#community/rules";

const common = {
  title: neededText("The title", "Give it a title.", 200),
  why: optionalText("The reason", LIMITS.why),
  tags,
  /** Without a group it is for the whole community. */
  groupId: z.union([z.literal("").transform(() => undefined), id]).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2}$/, "A language has two letters.")
    .default("en"),
  licence: optionalText("The licence", 80),
};

const address = z
  .string()
  .trim()
  .max(LIMITS.url, "That address is too long.")
  .refine(
    (text) => URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol),
    "An address begins with https:// or http://.",
  );

export const NewLink = z.object({ ...common, url: address });
export const NewDocument = z.object({ ...common, body: neededText("The document", "Write the document first.", LIMITS.document) });
export const NewFile = z.object({ ...common, uploadId: id });
export const NewComment = z.object({
  resourceId: id,
  body: neededText("The comment", "There is nothing to send yet: write something first.", LIMITS.comment),
  clientId,
});
