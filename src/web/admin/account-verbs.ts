import { z } from "zod";
import { addressOf, setRole, setStatus } from "#community/people";
import { isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import { DAY, later } from "#platform/clock";
import { notFound } from "#platform/refusal";
import { parseForm } from "../forms.ts";
import type { House } from "../house.ts";
import { ROLES, SPANS } from "./account-kinds.ts";

const personId = z.uuid();
const reason = z.string().trim().min(1, "Say why: they will read it.").max(2_000, "That is too long: 2,000 characters are enough.");
const Status = z.object({ personId, state: z.enum(["limited", "suspended"]), reason, days: z.enum(SPANS) });
const Someone = z.object({ personId });
const Role = z.object({ personId, role: z.enum(ROLES) });
const Declined = z.object({ personId, reason: z.string().trim().max(2_000, "That is too long: 2,000 characters are enough.") });

type Verb = (house: House, viewer: Viewer, form: FormData) => Promise<unknown>;

/** Commands on an account, by the form's `intent`. Each writes its own audit entry. */
export const ACCOUNT_VERBS: Record<string, Verb> = {
  status: (house, viewer, form) => {
    const { days, ...asked } = parseForm(Status, form);
    return house.database.inTransaction((tx) =>
      setStatus(tx, viewer, { ...asked, until: days === "" ? null : later(tx.now, Number(days) * DAY) }),
    );
  },
  restore: (house, viewer, form) =>
    house.database.inTransaction((tx) => setStatus(tx, viewer, { ...parseForm(Someone, form), state: "active", reason: "" })),
  role: (house, viewer, form) => house.database.inTransaction((tx) => setRole(tx, signedIn(viewer), parseForm(Role, form))),
  approve: (house, viewer, form) => house.accounts.approve(signedIn(viewer), parseForm(Someone, form).personId),
  decline: (house, viewer, form) => house.accounts.decline(signedIn(viewer), parseForm(Declined, form)),
  /** The page shows it this once. */
  address: (house, viewer, form) => {
    const { personId: id } = parseForm(Someone, form);
    return house.database.inTransaction(async (tx) => ({ addressOf: id, address: await addressOf(tx, viewer, id) }));
  },
};

function signedIn(viewer: Viewer): SignedIn {
  if (!isSignedIn(viewer)) throw notFound();
  return viewer;
}
