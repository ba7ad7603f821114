import { data } from "react-router";
import { z } from "zod";
import { type Draft, DraftInput, keepBeside, repliesSince, saveDraft, type Since } from "#community/discussions";
import { jsonOr, parseForm } from "../forms.ts";
import { acting } from "../visit.ts";

/** The last post the writer has seen, in a discussion. */
const Seen = z.object({ seen: z.coerce.number().int().min(0).max(1_000_000_000).optional() });

/** Other fields of the form, as JSON. */
const Kept = DraftInput.extend({
  more: z.preprocess((more) => (typeof more === "string" ? jsonOr(more, more) : more), DraftInput.shape.more),
});

/**
 * Result for the composer: the saved version or, after a change on another device, that draft; and replies of
 * others since.
 */
export type Keeping = { kept: boolean; draft: Pick<Draft, "version" | "title" | "body" | "savedAt">; since: Since | null };

/**
 * Saves a draft. Called by composers while people type, so no page data is loaded. `beside`: the writer left
 * without resolving a conflict, so both texts are kept.
 */
export const action = acting(async ({ house, db, viewer, form }) => {
  const input = parseForm(Kept, form);
  if (form.has("beside")) {
    await house.database.inTransaction((tx) => keepBeside(tx, viewer, input));
    return data(null);
  }
  const { seen } = parseForm(Seen, form);
  const { kept, draft } = await house.database.inTransaction((tx) => saveDraft(tx, viewer, input));
  const [kind, id] = input.place.split(":");
  const since = kind === "discussion" && seen !== undefined ? await repliesSince(db, viewer, id!, seen) : null;
  const { version, title, body, savedAt } = draft;
  return data<Keeping>({
    kept,
    draft: { version, title: kept ? "" : title, body: kept ? "" : body, savedAt },
    since,
  });
});
