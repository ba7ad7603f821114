import { addMilliseconds, DAY } from "#platform/clock";
import { type Db, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import type { Signer } from "#platform/signing";
import { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { SERVER_LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { type FeedEvent, selectFeedEvents } from "./event-columns.ts";

/**
 * Events in a personal feed: `answered` for those the person has answered and not declined, `groups` for all
 * events of their groups.
 */
export type FeedScope = "answered" | "groups";
export const FeedChange = z.object({
  scope: z.enum(["answered", "groups"]),
  intent: z.enum(["renew", "revoke"]),
});
const PURPOSE = "calendar-feed";
/** Number of past days in a feed. */
const PAST_DAYS = 90;

/** Tokens in the addresses of the viewer's feeds; null for a feed that was not created. */
export async function getFeedTokens(
  db: Db,
  signer: Signer,
  viewer: Viewer,
): Promise<Record<FeedScope, string | null>> {
  const me = requireSignedIn(viewer);
  const rows = await many(
    db,
    sql<{ id: string; scope: FeedScope }>`select id, scope from calendar_feeds where person_id = ${me.id}`,
  );
  const tokenFor = (scope: FeedScope) => {
    const found = rows.find((it) => it.scope === scope);
    return found ? signer.sign(PURPOSE, found.id) : null;
  };
  return { answered: tokenFor("answered"), groups: tokenFor("groups") };
}

/**
 * Creates the viewer's feed or gives it a new address; `revoke` removes it. The old address stops working in
 * either case.
 */
export async function changeFeed(
  tx: Tx,
  viewer: Viewer,
  { scope, intent }: z.output<typeof FeedChange>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  await run(tx, sql`delete from calendar_feeds where person_id = ${me.id} and scope = ${scope}`);
  if (intent === "revoke") return;
  await run(
    tx,
    sql`insert into calendar_feeds (id, person_id, scope, created_at)
        values (${tx.newId()}, ${me.id}, ${scope}, ${tx.now})
        on conflict (person_id, scope) do update set id = excluded.id, created_at = excluded.created_at`,
  );
}

/** Owner and scope of a feed. */
export type CalendarFeed = { owner: SignedIn & { locale: string }; scope: FeedScope };

/**
 * The feed of a token.
 * @throws `not-found` for a revoked address, and for the feed of a closed or suspended account
 */
export async function getFeed(db: Db, signer: Signer, token: string): Promise<CalendarFeed> {
  const id = signer.read(PURPOSE, token);
  const found =
    id !== null && isId(id)
      ? await maybeOne(
          db,
          sql<SignedIn & { locale: string; scope: FeedScope }>`
            select p.id, p.site_role as role, p.trust, p.state = 'limited' as limited, p.locale, f.scope
            from calendar_feeds f join people p on p.id = f.person_id
            where f.id = ${id} and p.state in ('active', 'limited')`,
        )
      : null;
  if (!found) throw notFound();
  const { scope, ...owner } = found;
  return { owner, scope };
}

/** Occurrences for a feed of the viewer: future ones and those of the last 90 days. */
export const listFeedEvents = (
  db: Db,
  viewer: Viewer,
  now: Date,
  which: { scope: FeedScope } | { groupId: string } | { eventId: string } | { seriesId: string },
): Promise<FeedEvent[]> =>
  many(
    db,
    sql<FeedEvent>`
      ${selectFeedEvents(viewer)} and ${whichCondition(which)}
        ${"eventId" in which ? sql`` : sql`and o.starts_at > ${addMilliseconds(now, -PAST_DAYS * DAY)}`}
      order by o.starts_at, o.id ${limit(SERVER_LIMITS.events.feed)}`,
  );

const whichCondition = (which: Parameters<typeof listFeedEvents>[3]) =>
  "eventId" in which
    ? sql`e.id = ${which.eventId}`
    : "seriesId" in which
      ? sql`e.series_id = ${which.seriesId}`
      : "groupId" in which
        ? sql`e.group_id = ${which.groupId}`
        : which.scope === "groups"
          ? sql`m.state = 'member'`
          : sql`a.answer <> 'declined'`;
