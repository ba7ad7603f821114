import { z } from "zod";
import { messagePreview } from "#community/conversations";
import { previewOf } from "#community/discussions";
import { LIMITS, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { type Plain, plainOf } from "../discussions/discussion-data.ts";
import { parseForm } from "../forms.ts";

/** The page again, with the typed values and a preview. */
export type Previewed = { preview: { html: string; plain: Plain }; typed: Record<string, string> };

const Body = z.object({ body: z.string().trim().min(1, "There is nothing to send yet: write something first.").max(LIMITS.post) });

const Message = Body.extend({ body: Body.shape.body.max(LIMITS.message) });

/** Preview of a message in a conversation, which has no mentions. */
export async function previewedMessage(db: Db, viewer: Viewer, conversationId: string, form: FormData): Promise<Previewed | null> {
  if (!form.has("preview")) return null;
  const { html } = await messagePreview(db, viewer, { conversationId, ...parseForm(Message, form) });
  return { preview: { html, plain: null }, typed: typedIn(form) };
}

/** Result of a form submitted by its button "Preview"; null for any other. */
export async function previewed(db: Db, viewer: Viewer, place: string, form: FormData): Promise<Previewed | null> {
  if (!form.has("preview")) return null;
  const { html, plain } = await previewOf(db, viewer, place, parseForm(Body, form).body);
  return { preview: { html, plain: plainOf(viewer, plain) }, typed: typedIn(form) };
}

const typedIn = (form: FormData) => Object.fromEntries([...form].filter((pair): pair is [string, string] => typeof pair[1] === "string"));
