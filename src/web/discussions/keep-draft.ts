import { data } from "react-router";
import { DraftInput, saveDraft } from "#community/discussions";
import { parseForm } from "../forms.ts";
import { acting } from "../visit.ts";

/** Keeps what somebody is writing. Asked by the composers while people type, so that nothing is read anew on the page. */
export const action = acting(async ({ house, viewer, form }) => {
  const { kept, draft } = await house.database.inTransaction((tx) => saveDraft(tx, viewer, parseForm(DraftInput, form)));
  return data({ kept, version: draft.version });
});
