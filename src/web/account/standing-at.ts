import { sanctionAppealFor } from "#community/moderation";
import { sanctionFor } from "#community/people";
import { appealRules, GUEST, type Viewer } from "#community/rules";
import { asked } from "../forms.ts";
import type { Visit } from "../visit.ts";

/** The person in the emailed link, or the signed-in viewer. */
export async function whoseStanding({ house, viewer }: Visit, url: URL): Promise<Viewer> {
  const token = asked(url, "token", 400);
  return token === "" ? viewer : ((await house.accounts.standingOf(token)) ?? GUEST);
}

/** The person's sanction and their appeal; null without a sanction. */
export async function standingAt(visit: Visit, url: URL) {
  const { house, now } = visit;
  const who = await whoseStanding(visit, url);
  const sanction = await sanctionFor(house.db, who, now);
  if (!sanction) return null;
  const appeal = await sanctionAppealFor(house.db, who);
  const { since } = sanction;
  return {
    sanction,
    appeal,
    open: appealRules.askOfSanction(who, { since, asked: appeal !== null }, now),
    until: appealRules.until({ since }),
  };
}
