import { z } from "zod";
import { previewMessage } from "#community/conversations";
import { renderPreview } from "#community/discussions";
import { LIMITS, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { type UnresolvedMentions, unresolvedMentions } from "../discussions/discussion-data.ts";
import { parseForm } from "../form-parsing.ts";

/** Result that shows the page again with the typed values and a preview. */
export type PreviewResult = {
  preview: { html: string; plain: UnresolvedMentions };
  typed: Record<string, string>;
};

const PreviewBody = z.object({ body: z.string().trim().min(1, "Write something first.").max(LIMITS.post) });

const MessageBody = PreviewBody.extend({ body: PreviewBody.shape.body.max(LIMITS.message) });

/** Preview of a message in a conversation, which has no mentions. */
export async function previewConversationMessage(
  db: Db,
  viewer: Viewer,
  conversationId: string,
  form: FormData,
): Promise<PreviewResult | null> {
  if (!form.has("preview")) return null;
  const { html } = await previewMessage(db, viewer, { conversationId, ...parseForm(MessageBody, form) });
  return { preview: { html, plain: null }, typed: typedTexts(form) };
}

/** Returns the preview of a form that was submitted by its button "Preview"; null for other submissions. */
export async function previewPost(
  db: Db,
  viewer: Viewer,
  place: string,
  form: FormData,
): Promise<PreviewResult | null> {
  if (!form.has("preview")) return null;
  const { html, plain } = await renderPreview(db, viewer, place, parseForm(PreviewBody, form).body);
  return { preview: { html, plain: unresolvedMentions(viewer, plain) }, typed: typedTexts(form) };
}

const typedTexts = (form: FormData) =>
  Object.fromEntries([...form].filter((pair): pair is [string, string] => typeof pair[1] === "string"));
