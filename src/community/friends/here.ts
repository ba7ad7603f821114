import { later, MINUTE } from "#platform/clock";
import { limit, sql } from "#platform/database";
import { personCard } from "#community/common";
import { privacyDefaults, type SignedIn } from "#community/rules";
import { mutedOf } from "./mutes.ts";
import { friendIds } from "./sight.ts";

/** Whoever did something within so many milliseconds is here. Visits are written down once a minute. */
const HERE = 10 * MINUTE;
const MOST = 8;

/** Rows `it` with the cards of the viewer's friends who are here, as far as they show it: eight at most, the latest first; nobody whom the viewer has muted. */
export const friendsHere = (me: SignedIn, now: Date) => sql`
  select ${personCard("p")} as it from (${friendIds(sql`${me.id}::uuid`)}) friend join people p on p.id = friend.id
  where p.state in ('active', 'limited') and p.seen_at > ${later(now, -HERE)} and p.id <> all(${mutedOf(me)})
    and coalesce((p.privacy->>'showOnline')::boolean, ${privacyDefaults.showOnline})
  order by p.seen_at desc, p.id ${limit(MOST)}`;
