import { many, sql, type Tx } from "#platform/database";
import { emit, publishAfterCommit, type DomainEvent } from "#platform/outbox";

type Sql = ReturnType<typeof sql>;

/** Marks the notifications `n` that match `which` as read and updates open pages, in one statement. */
export async function markRowsRead(tx: Tx, which: Sql): Promise<void> {
  const rows = await many(
    tx,
    sql<{ id: string; domainEvent: DomainEvent }>`
      with cleared as (
        update notifications n set read_at = ${tx.now}, seen_at = coalesce(n.seen_at, ${tx.now})
        where n.read_at is null and n.withdrawn_at is null and ${which} returning n.id, n.person_id)
      insert into outbox (type, payload, at)
      select 'notification.read',
        jsonb_build_object('type', 'notification.read', 'personId', person_id, 'ids', ids),
        ${tx.now}::timestamptz
      from (select person_id, array_to_string((array_agg(id::text))[1:${MOST_NAMED}], ',') as ids from cleared
        group by person_id) them returning id, payload as "domainEvent"`,
  );
  for (const { id, domainEvent } of rows) publishAfterCommit(tx, domainEvent, id);
}

/** Maximum number of ids in one event. If more notifications change at once, clients reload their list. */
const MOST_NAMED = 100;

/** Informs each person that their counts and these notifications have changed. */
export async function publishCountChanges(
  tx: Tx,
  rows: { personId: string; id?: string }[],
  withdrawn = false,
): Promise<void> {
  for (const [personId, own] of Map.groupBy(rows, (row) => row.personId)) {
    const ids = own.flatMap(({ id }) => id ?? []).slice(0, MOST_NAMED);
    await emit(tx, {
      type: "notification.read",
      personId,
      ids: ids.join(","),
      ...(withdrawn && { withdrawn }),
    });
  }
}

/**
 * Marks notifications as read whose posts or messages these people have read, in a discussion or
 * conversation. Later posts stay notified, because read positions are numbers.
 */
export async function clearReadPosts(tx: Tx, objectId: string, people: string[]): Promise<void> {
  await markRowsRead(
    tx,
    sql`n.object_id = ${objectId}::uuid and n.person_id = any(${people}::uuid[]) and (
      (n.object_kind = 'discussion'
        and n.kind not in ('reaction', 'bookmark', 'post_removed', 'post_decided', 'changed') and exists (
        select from posts x join read_positions rs on rs.discussion_id = x.discussion_id
          and rs.person_id = n.person_id
        where x.id = n.latest_id and rs.last_read_number >= x.number))
      or (n.object_kind = 'conversation' and exists (
        select from messages x join participants o on o.conversation_id = x.conversation_id
          and o.person_id = n.person_id
        where x.id = n.latest_id and o.last_read_seq >= x.seq)))`,
  );
}

/** Withdraws the rows matched by `which`; `n` is the notification. */
export async function withdrawRows(tx: Tx, which: ReturnType<typeof sql>): Promise<void> {
  const gone = await many(
    tx,
    sql<{ personId: string; id: string }>`
      update notifications n set withdrawn_at = ${tx.now}
      where n.withdrawn_at is null and ${which} returning n.id, n.person_id as "personId"`,
  );
  await publishCountChanges(tx, gone, true);
}
