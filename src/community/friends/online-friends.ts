import { addMilliseconds, MINUTE } from "#platform/clock";
import { limit, sql } from "#platform/database";
import { personCard } from "#community/common";
import { privacyDefaults, type SignedIn } from "#community/rules";
import { mutedIds } from "./mute-conditions.ts";
import { friendIds } from "./block-visibility.ts";

/** Milliseconds of inactivity until a person counts as offline. Activity is stored once a minute. */
const ONLINE_WINDOW = 10 * MINUTE;
const MAX_ONLINE = 8;

/**
 * SQL rows `it`: cards of at most eight friends who are online and share their status, latest activity
 * first. Muted friends are left out.
 */
export const onlineFriendRows = (me: SignedIn, now: Date) => sql`
  select ${personCard("p")} as it from (${friendIds(sql`${me.id}::uuid`)}) friend
  join people p on p.id = friend.id
  where p.state in ('active', 'limited') and p.seen_at > ${addMilliseconds(now, -ONLINE_WINDOW)}
    and p.id <> all(${mutedIds(me)})
    and coalesce((p.privacy->>'showOnline')::boolean, ${privacyDefaults.showOnline})
  order by p.seen_at desc, p.id ${limit(MAX_ONLINE)}`;
