import { DAY, addMilliseconds } from "#platform/clock";
import { type Database, many, run, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import { notifyOfEvent } from "#community/notifications";

/** Events within this period before seeding are new to the demo's people. */
const RECENT_PERIOD = 7 * DAY;

/**
 * Creates notifications for the demo's recent events, dated as if they had been sent at the time. Sends no
 * mail and no push notifications.
 */
export async function notifyDemoPeople(database: Database, now: Date): Promise<void> {
  for (const { id, ...payload } of await many(database.db, recentEvents(now)))
    await notifyOfEvent(database, { id, payload });
  await run(
    database.db,
    sql`update notifications n
      set mail_at = null, push_at = null, created_at = it.created_at, updated_at = it.created_at
        from posts it where it.id = n.latest_id`,
  );
}

type RecentEvent = DomainEvent & { id: string };

const recentEvents = (now: Date) => sql<RecentEvent>`
  select p.id, case when p.number = 1 then 'discussion.started' else 'post.written'
    end as type, p.id as "postId", p.author_id as by,
    d.id as "discussionId", d.group_id as "groupId"
  from posts p join discussions d on d.id = p.discussion_id
  where p.created_at > ${addMilliseconds(now, -RECENT_PERIOD)} and p.state = 'published'
  order by p.created_at, p.id limit 500`;
