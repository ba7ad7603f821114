import { groupsFor } from "#community/groups";
import type { Arrival } from "#community/people";
import type { SignedIn } from "#community/rules";
import type { Db } from "#platform/database";
import { htmlOf } from "#platform/markup";
import type { House } from "../house.ts";

export async function rulesToAccept(house: House, arrival: Arrival) {
  const { rules, rulesVersion } = await house.settings.get();
  return { html: htmlOf(rules), version: rulesVersion, accepted: arrival.rulesAcceptedVersion === rulesVersion };
}

const OFFERED = 12;

/** Groups that one can enter or ask to enter; those of a secret kind are by invitation and not offered. */
export async function groupsToChoose(db: Db, me: SignedIn) {
  const [mine, others] = await Promise.all([groupsFor(db, me, { tab: "mine" }), groupsFor(db, me, { tab: "discover" })]);
  const offered = others.rows.filter((group) => group.joinPolicy !== "invite").slice(0, OFFERED);
  return { mine: mine.rows, offered };
}
