import { data } from "react-router";
import { z } from "zod";
import {
  type Draft,
  DraftInput,
  saveConflictingDraft,
  countRepliesSince,
  saveDraft,
  type RepliesSince,
} from "#community/discussions";
import { parseJsonOr, parseForm } from "../../form-parsing.ts";
import { defineAction } from "../../request-context.ts";

/** Number of the last post of the discussion that the writer's page knows. */
const SeenInput = z.object({ seen: z.coerce.number().int().min(0).max(1_000_000_000).optional() });

/** Other fields of the form, as JSON. */
const SavedDraftInput = DraftInput.extend({
  more: z.preprocess(
    (more) => (typeof more === "string" ? parseJsonOr(more, more) : more),
    DraftInput.shape.more,
  ),
});

/**
 * Result for the composer: the saved version or, after a change on another device, the conflicting draft.
 * Also contains the replies that other people have written since.
 */
export type SaveDraftResult = {
  kept: boolean;
  draft: Pick<Draft, "version" | "title" | "body" | "savedAt">;
  since: RepliesSince | null;
};

/**
 * Saves a draft. Composers call it while people type, so it loads no page data. With `beside`, the writer
 * left without resolving a conflict, so both texts are stored.
 */
export const action = defineAction(async ({ app, db, viewer, form }) => {
  const input = parseForm(SavedDraftInput, form);
  if (form.has("beside")) {
    await app.database.inTransaction((tx) => saveConflictingDraft(tx, viewer, input));
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
