import { groupsFor, invitationFor } from "#community/groups";
import type { Arrival } from "#community/people";
import type { SignedIn } from "#community/rules";
import type { Db } from "#platform/database";
import { htmlOf } from "#platform/markup";
import { Refusal } from "#platform/refusal";
import type { House } from "../house.ts";

export async function rulesToAccept(house: House, arrival: Arrival) {
  const { rules, rulesVersion } = await house.settings.get();
  return { html: htmlOf(rules), version: rulesVersion, accepted: arrival.rulesAcceptedVersion === rulesVersion };
}

/** Who invites the newcomer, and to which group, where the way leads on to an invitation that still holds. */
export async function invitationAt(db: Db, me: SignedIn, next: string, now: Date) {
  const token = /^\/invite\/([\w-]+)$/.exec(next)?.[1];
  if (!token) return null;
  const found = await invitationFor(db, me, token, now).catch(nothing);
  if (found?.state !== "open") return null;
  const { id, name, purpose } = found.group;
  return { by: found.by, group: { id, name, purpose } };
}

/** The same addresses lead to friends: then there is no group to tell of. */
function nothing(error: unknown): null {
  if (error instanceof Refusal && error.reason === "not-found") return null;
  throw error;
}

const OFFERED = 12;

/** Groups that one can enter or ask to enter; those of a secret kind are by invitation and not offered. */
export async function groupsToChoose(db: Db, me: SignedIn, invitedTo: string | undefined) {
  const [mine, others] = await Promise.all([groupsFor(db, me, { tab: "mine" }), groupsFor(db, me, { tab: "discover" })]);
  const offered = others.rows.filter((group) => group.joinPolicy !== "invite" && group.id !== invitedTo).slice(0, OFFERED);
  return { mine: mine.rows, offered };
}
