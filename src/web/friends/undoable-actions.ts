import { listPersonSummaries } from "#community/accounts";
import { isSignedIn, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { readQueryParam } from "../form-parsing.ts";

const UNDOABLE_ACTIONS = ["block", "mute", "remove", "dismiss"] as const;
export type UndoableAction = (typeof UNDOABLE_ACTIONS)[number];

/** URL of the same page with the undo notice, if the action can be undone. */
export function urlWithUndo(url: URL, intent: string, form: FormData): string {
  const query = new URLSearchParams(url.search);
  for (const over of ["did", "whom", "more"]) query.delete(over);
  const did = UNDOABLE_ACTIONS.find((it) => it === intent);
  if (did) {
    query.set("did", did);
    query.set("whom", String(form.get("personId")));
  }
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname;
}

/**
 * Reads the action that can be undone from the URL. Anybody can write such a URL, so it only leads to a
 * sentence with a button.
 */
export async function findUndoableAction(db: Db, viewer: Viewer, url: URL) {
  const did = UNDOABLE_ACTIONS.find((it) => it === readQueryParam(url, "did"));
  if (!did || !isSignedIn(viewer)) return null;
  const [person] = await listPersonSummaries(db, viewer, [readQueryParam(url, "whom")]);
  return person ? { did, person } : null;
}
