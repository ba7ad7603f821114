import { z } from "zod";
import { messagePreview } from "#community/conversations";
import { previewOf } from "#community/discussions";
import { LIMITS, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { type Plain, plainOf } from "../discussions/discussion-data.ts";
import { parseForm } from "../forms.ts";

/** The page again, with what was typed and how it would look. */
export type Previewed = { preview: { html: string; plain: Plain }; typed: Record<string, string> };

const Body = z.object({ body: z.string().trim().min(1, "There is nothing to send yet: write something first.").max(LIMITS.post) });

const Message = Body.extend({ body: Body.shape.body.max(LIMITS.message) });

/** The same for a message of a conversation, in which nobody is called. */
export async function previewedMessage(db: Db, viewer: Viewer, conversationId: string, form: FormData): Promise<Previewed | null> {
  if (!form.has("preview")) return null;
  const { html } = await messagePreview(db, viewer, { conversationId, ...parseForm(Message, form) });
  return { preview: { html, plain: null }, typed: typedIn(form) };
}

/** What a form that was sent by its button "Preview" is answered with; null for any other. */
export async function previewed(db: Db, viewer: Viewer, place: string, form: FormData): Promise<Previewed | null> {
  if (!form.has("preview")) return null;
  const { html, plain } = await previewOf(db, viewer, place, parseForm(Body, form).body);
  return { preview: { html, plain: plainOf(viewer, plain) }, typed: typedIn(form) };
}

const typedIn = (form: FormData) => Object.fromEntries([...form].filter((pair): pair is [string, string] => typeof pair[1] === "string"));
