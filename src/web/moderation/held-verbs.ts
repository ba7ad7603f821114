import { GivingBack, HeldPostId, letPostIn, sendPostBack } from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { parseForm } from "../forms.ts";

type Deed = (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>;

/** Commands on a pending post, by the form's `intent`. */
export const HELD_DEEDS: Record<"let-in" | "give-back", Deed> = {
  "let-in": (tx, viewer, form) => letPostIn(tx, viewer, parseForm(HeldPostId, form)),
  "give-back": (tx, viewer, form) => sendPostBack(tx, viewer, parseForm(GivingBack, form)),
};
