import { z } from "zod";
import { revealEmail, setRole, setStatus, approveAccount, declineAccount } from "#community/accounts";
import { addPersonNote, deletePersonNote, NewPersonNote, PersonNoteInput } from "#community/moderation";
import { isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import { DAY, addMilliseconds } from "#platform/clock";
import { notFound } from "#platform/refusal";
import { parseForm } from "../../form-parsing.ts";
import type { WebContext } from "../../web-context.ts";
import { ACCOUNT_ROLES, SANCTION_DAYS } from "./account-options.ts";

const personId = z.uuid();
const reason = z
  .string()
  .trim()
  .min(1, "Enter a reason. The person will read it.")
  .max(2_000, "At most 2,000 characters.");
const StatusInput = z.object({
  personId,
  state: z.enum(["limited", "suspended"]),
  reason,
  days: z.enum(SANCTION_DAYS),
});
const PersonInput = z.object({ personId });
const RoleInput = z.object({ personId, role: z.enum(ACCOUNT_ROLES) });
const DeclineInput = z.object({
  personId,
  reason: z.string().trim().max(2_000, "At most 2,000 characters."),
});

type AccountCommand = (
  app: Pick<WebContext, "database" | "settings" | "origin" | "accountHooks">,
  viewer: Viewer,
  form: FormData,
) => Promise<unknown>;

/** Commands on an account, by the form's `intent`. Each writes its own audit entry. */
export const ACCOUNT_COMMANDS: Record<string, AccountCommand> = {
  status: (app, viewer, form) => {
    const { days, ...asked } = parseForm(StatusInput, form);
    return app.database.inTransaction((tx) =>
      setStatus(tx, viewer, {
        ...asked,
        until: days === "" ? null : addMilliseconds(tx.now, Number(days) * DAY),
      }),
    );
  },
  restore: (app, viewer, form) =>
    app.database.inTransaction((tx) =>
      setStatus(tx, viewer, { ...parseForm(PersonInput, form), state: "active", reason: "" }),
    ),
  role: (app, viewer, form) =>
    app.database.inTransaction((tx) =>
      setRole(tx, requireSignedInViewer(viewer), parseForm(RoleInput, form)),
    ),
  approve: (app, viewer, form) =>
    approveAccount(app, requireSignedInViewer(viewer), parseForm(PersonInput, form).personId),
  decline: (app, viewer, form) =>
    declineAccount(app, requireSignedInViewer(viewer), parseForm(DeclineInput, form)),
  "note-person": (app, viewer, form) =>
    app.database.inTransaction((tx) => addPersonNote(tx, viewer, parseForm(NewPersonNote, form))),
  "delete-person-note": (app, viewer, form) =>
    app.database.inTransaction((tx) => deletePersonNote(tx, viewer, parseForm(PersonNoteInput, form))),
  /** The revealed email address is in this response only. */
  address: (app, viewer, form) => {
    const { personId: id } = parseForm(PersonInput, form);
    return app.database.inTransaction(async (tx) => ({
      addressOf: id,
      address: await revealEmail(tx, viewer, id),
    }));
  },
};

function requireSignedInViewer(viewer: Viewer): SignedIn {
  if (!isSignedIn(viewer)) throw notFound();
  return viewer;
}
