import { limit, one, sql, type Tx } from "#platform/database";
import { publishAfterCommit, type DomainEvent } from "#platform/outbox";
import { isMuting } from "#community/friends";
import { NOTIFICATION_KIND_DEFINITIONS, NOTIFICATION_KINDS } from "#community/rules";
import { isExemptFromBlocks } from "./notification-visibility.ts";
import type { NotificationTrigger } from "./triggers/notification-trigger.ts";

/** Number of people notified per statement: few enough that a concurrent reply does not have to wait. */
export const BATCH_SIZE = 100;
/** Maximum number of actors per row. */
const MAX_ACTORS = 20;
/** Maximum number of items per row, by which duplicates are recognized. */
const MAX_ITEMS = 24;
/**
 * Seconds before a push is sent, so that a person who sees the notification on a page meanwhile gets no
 * push.
 */
export const PUSH_DELAY_SECONDS = 20;
/** Above this number of people, open pages refresh their counts at staggered times. */
const STAGGER_ABOVE = 20;

export type CreatedBatch = {
  /** Id of the person after whom the next batch starts; null after the last batch. */
  next: string | null;
  /** Subject of the notifications; `people` are the ids of the people notified. */
  objectId: string | null;
  people: string[];
};

/**
 * Notifies one batch of candidates, starting after person `after`, and publishes the changes, in one
 * statement. Skips the actor, and people who cannot see the subject, are blocked either way or were already
 * notified. An unread row about the same subject is updated instead.
 */
export async function createNotifications(
  tx: Tx,
  trigger: NotificationTrigger,
  after: string | null,
): Promise<CreatedBatch> {
  const found = await one(
    tx,
    sql<
      Pick<CreatedBatch, "objectId" | "people"> & {
        seen: number;
        last: string | null;
        told: { id: string; domainEvent: DomainEvent } | null;
      }
    >`
      with candidates as materialized (
        select distinct on (person_id) person_id, kind, reason from (${trigger.candidates}) known
        where person_id > ${after ?? "00000000-0000-0000-0000-000000000000"}::uuid
          and person_id is distinct from ${trigger.actor}::uuid
        order by person_id, rank ${limit(BATCH_SIZE)}),
      wanted as (${recipientRows(tx, trigger)}),
      made as (
        insert into notifications as n (id, person_id, kind, object_kind, object_id, reason, detail,
          stored_name, words, moment, actors, latest_id, items, shown,
          filtered, created_at, updated_at, mail_at, push_at)
        select gen_random_uuid(), person_id, kind, ${trigger.object.kind}, object_id, reason, detail,
          stored_name, words, moment,
          array_remove(array[${trigger.actor}::uuid], null), ${trigger.latest}::uuid, array[item], shown,
          filtered, ${tx.now}, ${tx.now},
          case
            when mailed then end_of_quiet_hours(greatest(${tx.now}::timestamptz + make_interval(secs => hold),
              paused_until), zone, quiet_from, quiet_to, quiet_days) end,
          case
            when pushed
              then end_of_quiet_hours(greatest(${tx.now}::timestamptz
                + make_interval(secs => ${PUSH_DELAY_SECONDS}::int), paused_until), zone, quiet_from,
                  quiet_to, quiet_days) end
        from wanted where shown or mailed or pushed
        order by person_id
        on conflict (person_id, object_id, kind, filtered)
        where read_at is null and withdrawn_at is null do update set ${mergeColumns}
        returning n.shown and not n.filtered as shown, n.object_id, n.person_id),
      told as (
        insert into outbox (type, payload, at)
        select type, jsonb_build_object('type', type, 'objectId', object_id), ${tx.now}::timestamptz
        from (select case when count(*) > ${STAGGER_ABOVE} then 'notifications.made' else 'notification.made'
          end as type, min(object_id::text) as object_id
          from made where shown having count(*) > 0) it
        returning id, payload)
      select (select count(*)::int from candidates) as seen, (select person_id from candidates
        order by person_id desc limit 1) as last,
        (select json_build_object('id', id::text, 'domainEvent', payload) from told) as told,
        (select object_id from made limit 1) as "objectId", array(select person_id from made) as people`,
  );
  if (found.told) publishAfterCommit(tx, found.told.domainEvent, found.told.id);
  return {
    next: found.seen === BATCH_SIZE ? found.last : null,
    objectId: found.objectId,
    people: found.people,
  };
}

const KIND_RULES = NOTIFICATION_KINDS.map((kind) => ({ kind, ...NOTIFICATION_KIND_DEFINITIONS[kind] }));
const listRules = <T>(of: (facts: (typeof KIND_RULES)[number]) => T) => KIND_RULES.map(of);

/**
 * One row per notification to create, with the recipient's choices. Drops notifications from muted people
 * and across a block, except for duties (`isExemptFromBlocks`). `offset 0` prevents PostgreSQL from
 * inlining `apart` and evaluating it five times.
 */
const recipientRows = ({ now }: Tx, { visibility, object, actor, item, ...more }: NotificationTrigger) => sql`
  select c.person_id, c.kind, c.reason, c.object_id, c.item, c.detail, c.stored_name, c.words, c.moment,
    k.hold, apart.filtered,
    coalesce(ch.shown, true) as shown, not apart.filtered and k.mail <> 'never' and coalesce(ch.mailed,
      p.mail_level = 'everything' or (p.mail_level = 'important' and k.mail = 'important')) as mailed,
    not apart.filtered and coalesce(ch.pushed, k.push) as pushed,
    case when s.paused_until > ${now} then s.paused_until
      end as paused_until, p.time_zone as zone, s.quiet_from, s.quiet_to, s.quiet_days
  from (
    select c.person_id, c.kind, c.reason, ${object.id} as object_id, ${item} as item,
      ${more.detail ?? sql`''`}::text as detail,
      ${more.keptName ?? sql`null`}::text as stored_name, ${more.words ?? sql`''`}::text as words,
      ${more.moment ?? sql`null`}::timestamptz as moment
    from candidates c ${visibility}) c
  join people p on p.id = c.person_id and p.state in ('active', 'limited')
  join unnest(${listRules((it) => it.kind)}::text[], ${listRules((it) => it.mail)}::text[],
    ${listRules((it) => it.push)}::boolean[], ${listRules((it) => it.hold)}::int[],
    ${listRules((it) => it.fromSomebody)}::boolean[]) k (kind, mail, push, hold, from_somebody)
      on k.kind = c.kind
  left join notification_choices ch on ch.person_id = c.person_id and ch.kind = c.kind
  left join notification_settings s on s.person_id = c.person_id
  left join people a on a.id = ${actor}::uuid
  cross join lateral (select coalesce(k.from_somebody and ${isInSenderFolder(actor)}, false) as filtered
    offset 0) apart
  where not exists (
      select from notifications before where before.object_id = c.object_id and before.person_id = c.person_id
        and c.item = any(before.items))
    and (${isExemptFromBlocks(sql`c.kind`)}
      or not (coalesce(${isMuting(sql`c.person_id`, sql`a.id`)}, false) or exists (
      select from blocks b where (b.blocker_id = c.person_id and b.blocked_id = a.id)
        or (b.blocker_id = a.id and b.blocked_id = c.person_id))))`;

/**
 * Whether actions of `a` go to the sender folder of the person `p`, because `a` is a stranger or newcomer.
 * False for friends, staff and allowed senders.
 */
const isInSenderFolder = (actor: string | null) => sql`(
  (s.strangers_apart or s.newcomers_apart) and a.site_role = 'member'
  and not exists (select from notification_senders known
    where known.person_id = p.id and known.sender_id = ${actor}::uuid)
  and not exists (select from friendships f
    where f.low_id = least(p.id, a.id) and f.high_id = greatest(p.id, a.id) and f.state = 'friends')
  and ((s.newcomers_apart and a.trust = 'new') or (s.strangers_apart and not exists (
    select from memberships mine join memberships theirs using (group_id)
    where mine.person_id = p.id and mine.state = 'member' and theirs.person_id = a.id
      and theirs.state = 'member'))))`;

/**
 * Updates of an unread row. A waiting mail keeps its time; if the last mail was sent, a new mail is
 * scheduled. A push is repeated only for direct messages: for other kinds one push suffices until the
 * notification is read.
 */
const mergeColumns = sql`
  actors = (excluded.actors || array_remove(n.actors, excluded.actors[1]))[1:${MAX_ACTORS}],
  items = (excluded.items || n.items)[1:${MAX_ITEMS}],
  count = n.count + 1, latest_id = excluded.latest_id, reason = excluded.reason, detail = excluded.detail,
  stored_name = excluded.stored_name, words = excluded.words, moment = excluded.moment,
  shown = n.shown or excluded.shown, updated_at = excluded.updated_at, seen_at = null,
  mailed_before = coalesce(n.mailed_at, n.mailed_before), mailed_at = null,
  mail_at = case when n.mailed_at is null then least(n.mail_at, excluded.mail_at) else excluded.mail_at end,
  pushed_at = case when n.kind in ('message', 'message_request') then null else n.pushed_at end,
  push_at = case when n.pushed_at is null then least(n.push_at, excluded.push_at)
    when n.kind in ('message', 'message_request') then excluded.push_at else n.push_at end`;
