import { data } from "react-router";
import { z } from "zod";
import {
  type Draft,
  DraftInput,
  saveDraftBeside,
  countRepliesSince,
  saveDraft,
  type RepliesSince,
} from "#community/discussions";
import { parseJsonOr, parseForm } from "../../form-parsing.ts";
import { defineAction } from "../../request-context.ts";

/** The last post the writer has seen, in a discussion. */
const SeenInput = z.object({ seen: z.coerce.number().int().min(0).max(1_000_000_000).optional() });

/** Other fields of the form, as JSON. */
const SavedDraftInput = DraftInput.extend({
  more: z.preprocess(
    (more) => (typeof more === "string" ? parseJsonOr(more, more) : more),
    DraftInput.shape.more,
  ),
});

/**
 * Result for the composer: the saved version or, after a change on another device, that draft; and replies of
 * others since.
 */
export type SaveDraftResult = {
  kept: boolean;
  draft: Pick<Draft, "version" | "title" | "body" | "savedAt">;
  since: RepliesSince | null;
};

/**
 * Saves a draft. Called by composers while people type, so no page data is loaded. `beside`: the writer left
 * without resolving a conflict, so both texts are kept.
 */
export const action = defineAction(async ({ app, db, viewer, form }) => {
  const input = parseForm(SavedDraftInput, form);
  if (form.has("beside")) {
    await app.database.inTransaction((tx) => saveDraftBeside(tx, viewer, input));
    return data(null);
  }
  const { seen } = parseForm(SeenInput, form);
  const { kept, draft } = await app.database.inTransaction((tx) => saveDraft(tx, viewer, input));
  const [kind, id] = input.place.split(":");
  const since =
    kind === "discussion" && seen !== undefined ? await countRepliesSince(db, viewer, id!, seen) : null;
  const { version, title, body, savedAt } = draft;
  return data<SaveDraftResult>({
    kept,
    draft: { version, title: kept ? "" : title, body: kept ? "" : body, savedAt },
    since,
  });
});
