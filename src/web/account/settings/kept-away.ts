import { redirect } from "react-router";
import { z } from "zod";
import { block, blockedBy, droppedFilter, filtersOf, mutedBy, mutePerson, unblock, unmutePerson } from "#community/friends";
import { summariesOf } from "#community/people";
import type { SignedIn } from "#community/rules";
import type { Db } from "#platform/database";
import { asked, parseForm } from "../../forms.ts";
import { urls } from "../../urls.ts";
import type { Visit } from "../../visit.ts";
import { filterVerbs } from "./filter-verbs.ts";

/** Blocked and muted people, filters, and the person who was just unblocked. */
export async function keptAway(db: Db, me: SignedIn, url: URL) {
  const [blocked, muted, filters, [back], dropped] = await Promise.all([
    blockedBy(db, me),
    mutedBy(db, me),
    filtersOf(db, me),
    summariesOf(db, me, [asked(url, "whom")]),
    droppedFilter(db, me, asked(url, "dropped")),
  ]);
  return { blocked, muted, filters, back: back ?? null, until: asked(url, "until", 20), dropped };
}

type Asked = { visit: Visit; me: SignedIn; form: FormData };
const Whom = z.object({ id: z.uuid("That is not something we know.") });
const Until = Whom.extend({
  until: z
    .string()
    .optional()
    .transform((ms) => (ms ? new Date(Number(ms)) : null))
    .pipe(z.date("That is not a time.").nullable()),
});

const back = (me: SignedIn, saved: string, at: { whom?: string; until?: number } = {}) =>
  redirect(urls.settings(me.id, "blocked", { saved, ...at }));

/** Commands of these lists; each undo can be undone. */
export const keptAwayVerbs: Record<string, (asked: Asked) => Promise<unknown>> = {
  unblock: async ({ visit, me, form }) => {
    const { id: personId } = parseForm(Whom, form);
    await visit.house.database.inTransaction((tx) => unblock(tx, me, { personId }));
    return back(me, "unblock", { whom: personId });
  },
  block: async ({ visit, me, form }) => {
    const { id: personId } = parseForm(Whom, form);
    await visit.house.database.inTransaction((tx) => block(tx, me, { personId }));
    return back(me, "block");
  },
  unmute: async ({ visit, me, form }) => {
    const { id: personId, until } = parseForm(Until, form);
    await visit.house.database.inTransaction((tx) => unmutePerson(tx, me, { personId }));
    return back(me, "unmute", { whom: personId, until: until?.getTime() });
  },
  mute: async ({ visit, me, form }) => {
    const { id: personId, until } = parseForm(Until, form);
    await visit.house.database.inTransaction((tx) => mutePerson(tx, me, { personId, until }));
    return back(me, "mute");
  },
  ...filterVerbs,
};
