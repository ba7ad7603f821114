import { groupsFor } from "#community/groups";
import { noticesFor } from "#community/notifications";
import type { Arrival } from "#community/people";
import type { SignedIn, Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { htmlOf } from "#platform/markup";
import { invitationAt } from "../groups/invitation-at.ts";
import type { House } from "../house.ts";

export async function rulesToAccept(house: House, arrival: Arrival) {
  const { rules, rulesVersion } = await house.settings.get();
  return { html: htmlOf(rules), version: rulesVersion, accepted: arrival.rulesAcceptedVersion === rulesVersion };
}

/** The inviter and the group, if the next page is a valid invitation. */
export async function invitedTo(db: Db, viewer: Viewer, next: string, now: Date) {
  const found = await invitationAt(db, viewer, next, now);
  if (found?.state !== "open") return null;
  const { id, name, purpose, viewerState } = found.group;
  return { by: found.by, group: { id, name, purpose }, entry: found.entry, isIn: viewerState === "member" };
}

/** How often the person gets a digest, and on which day. */
export async function digestOf(db: Db, me: SignedIn, now: Date) {
  const { digestEvery, digestDay } = await noticesFor(db, me, now);
  return { digestEvery, digestDay };
}

const OFFERED = 12;

/** Groups the person can join or request to join; secret ones are by invitation and not offered. */
export async function groupsToChoose(db: Db, me: SignedIn, invitedTo: string | undefined) {
  const [mine, others] = await Promise.all([groupsFor(db, me, { tab: "mine" }), groupsFor(db, me, { tab: "discover" })]);
  const offered = others.rows.filter((group) => group.joinPolicy !== "invite" && group.id !== invitedTo).slice(0, OFFERED);
  return { mine: mine.rows, offered };
}
