import { DAY, addMilliseconds } from "#platform/clock";
import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { isAccountUnlisted } from "#community/common";
import { refreshBookmarkCounts } from "./import/import-activity.ts";
import { listPersonColumns } from "./person-columns.ts";

const FORMER_NAME_PERIOD = 365 * DAY;

/**
 * Merges an imported account into the person who confirmed its email: content, memberships and read positions
 * are transferred, the old username redirects, and the imported account is deleted. Does nothing if there is
 * no imported account, or before the person can use their own account.
 */
export async function claimImportedAccount(tx: Tx, personId: string): Promise<void> {
  const ghost = await maybeOne(
    tx,
    sql<{ id: string }>`
      select g.person_id as id from people p join imported_accounts g on lower(g.email) = lower(p.email)
      where p.id = ${personId} and p.email_confirmed_at is not null and p.state in ('active', 'limited')
      for update`,
  );
  if (!ghost) return;
  await transferMemberships(tx, ghost.id, personId);
  await markAllRead(tx, personId);
  await transferDirectConversations(tx, ghost.id, personId);
  await transferContent(tx, ghost.id, personId);
  await removeRepeatedHosts(tx, personId);
  await transferProfile(tx, ghost.id, personId);
  await emit(tx, { type: "person.changed", personId });
}

/** Tables in which a person appears at most once per entity. */
const ONCE_PER_PERSON = [
  ["memberships", "group_id"],
  ["read_positions", "discussion_id"],
  ["participants", "conversation_id"],
  ["hidden_messages", "message_id"],
  ["bookmarks", "post_id"],
  ["resource_bookmarks", "resource_id"],
  ["resource_follows", "resource_id"],
  ["collection_curators", "collection_id"],
  ["poll_votes", "post_id"],
  ["post_mentions", "post_id"],
  ["mail_suppressions", "scope"],
  ["notification_choices", "kind"],
  ["attendances", "occurrence_id"],
  ["date_poll_answers", "time_id"],
  ["event_hosts", "event_id"],
] as const;

/**
 * Transfers the rows of these tables. If both accounts have such a row, the person's own is kept; of two
 * group roles the higher one wins.
 */
async function transferMemberships(tx: Tx, ghost: string, person: string): Promise<void> {
  await run(
    tx,
    sql`
    update memberships own set role = greatest(own.role, ghosts.role) from memberships ghosts
    where own.person_id = ${person} and ghosts.person_id = ${ghost} and own.group_id = ghosts.group_id
      and own.state = 'member' and ghosts.state = 'member'`,
  );
  for (const [table, key] of ONCE_PER_PERSON)
    await run(
      tx,
      sql`update ${sql.table(table)} t set person_id = ${person} where person_id = ${ghost}
          and not exists (select from ${sql.table(table)} own
            where own.person_id = ${person} and own.${sql.ref(key)} = t.${sql.ref(key)})`,
    );
  for (const [table, to] of [
    ["reactions", "post_id"],
    ["message_reactions", "message_id"],
  ] as const)
    await run(
      tx,
      sql`update ${sql.table(table)} t set person_id = ${person} where person_id = ${ghost} and not exists (
            select from ${sql.table(table)} own
            where own.person_id = ${person} and own.${sql.ref(to)} = t.${sql.ref(to)}
              and own.emoji = t.emoji)`,
    );
  await run(
    tx,
    sql`
    insert into friendships (low_id, high_id, state, requested_by, note, requested_at, changed_at, cancelled)
    select least(other, ${person}), greatest(other, ${person}), state, case
      when requested_by = ${ghost} then ${person} else other end, note, requested_at, changed_at, cancelled
    from (select *, case when low_id = ${ghost} then high_id else low_id end as other from friendships
      where ${ghost} in (low_id, high_id)) f
    where other <> ${person}
    on conflict do nothing`,
  );
  await run(tx, sql`delete from friendships where ${ghost} in (low_id, high_id)`);
  await transferBlocksAndMutes(tx, ghost, person);
  await run(
    tx,
    sql`update groups set members_count = (
          select count(*) from memberships m join people p on p.id = m.person_id and not ${isAccountUnlisted("p")}
          where m.group_id = groups.id and m.state = 'member' and m.person_id <> ${ghost})
        where exists (select from memberships m
          where m.group_id = groups.id and m.person_id in (${ghost}, ${person}))`,
  );
  await uncountDuplicates(tx, ghost);
}

/** Corrects bookmark counts: a bookmark that both accounts had was counted twice. */
async function uncountDuplicates(tx: Tx, ghost: string): Promise<void> {
  const both = await many(
    tx,
    sql<{
      id: string;
    }>`delete from resource_bookmarks where person_id = ${ghost} returning resource_id as id`,
  );
  await refreshBookmarkCounts(
    { tx, check: false },
    both.map(({ id }) => id),
  );
}

/**
 * Tables with the columns of actor and target, and a condition. Blocks between two people who have become
 * friends here are dropped.
 */
const BLOCKS_AND_MUTES = [
  [
    "blocks",
    "blocker_id",
    "blocked_id",
    [],
    sql`not exists (select from friendships f
      where f.low_id = least(blocker_id, blocked_id) and f.high_id = greatest(blocker_id, blocked_id)
        and f.state = 'friends')`,
  ],
  ["mutes", "muter_id", "muted_id", ["until"], sql`true`],
] as const;

/** Transfers blocks and mutes in both directions, by and against the imported account. */
async function transferBlocksAndMutes(tx: Tx, ghost: string, person: string): Promise<void> {
  const now = (column: string) =>
    sql`case when ${sql.ref(column)} = ${ghost}::uuid then ${person}::uuid else ${sql.ref(column)} end`;
  for (const [table, by, of, more, holds] of BLOCKS_AND_MUTES) {
    const columns = sql.join([by, of, ...more, "created_at"].map((column) => sql.ref(column)));
    const moved = sql.join([
      sql`${now(by)} as ${sql.ref(by)}`,
      sql`${now(of)} as ${sql.ref(of)}`,
      ...[...more, "created_at"].map((it) => sql.ref(it)),
    ]);
    await run(
      tx,
      sql`insert into ${sql.table(table)} (${columns})
          select ${columns} from (select ${moved} from ${sql.table(table)}
            where ${ghost}::uuid in (${sql.ref(by)}, ${sql.ref(of)})) t
          where ${sql.ref(by)} <> ${sql.ref(of)} and ${holds} on conflict do nothing`,
    );
  }
}

/** Marks transferred discussions as read: older posts must not appear as unread to the person. */
const markAllRead = (tx: Tx, person: string) =>
  run(
    tx,
    sql`
    insert into read_positions (person_id, discussion_id, last_read_number, level, read_at)
    select m.person_id, d.id, d.last_number, 'normal', ${tx.now}
    from memberships m join discussions d on d.group_id = m.group_id and d.state = 'open'
      and d.last_post_at >= m.joined_at
    where m.person_id = ${person} and m.state = 'member'
      and exists (select from imported_records i where i.local_id = d.id and i.kind = 'discussion' and i.made)
    on conflict do nothing`,
  );

/**
 * Transfers direct conversations. Two people have only one: if they have one already, the transferred one
 * becomes a group conversation.
 */
async function transferDirectConversations(tx: Tx, ghost: string, person: string): Promise<void> {
  const pairs = await many(
    tx,
    sql<{ id: string; other: string }>`
      select c.id, trim(both ':' from replace(pair, ${ghost}, '')) as other
      from participants p join conversations c on c.id = p.conversation_id
      where p.person_id in (${ghost}, ${person}) and c.kind = 'direct'
        and ${ghost} = any(string_to_array(c.pair, ':'))`,
  );
  for (const { id, other } of pairs)
    await run(
      tx,
      sql`
      update conversations set (kind, pair) = (
        select case when free then 'direct' else 'group' end, case when free then pair end
        from (select ${[person, other].sort().join(":")}::text as pair) wanted
        cross join lateral (select ${other}::uuid <> ${person}::uuid
          and not exists (select from conversations c where c.pair = wanted.pair) as free) f)
      where id = ${id}`,
    );
}

/** Transfers everything else: each column that references a person and is not part of a key. */
async function transferContent(tx: Tx, ghost: string, person: string): Promise<void> {
  const columns = (await listPersonColumns(tx)).filter(({ isKey }) => !isKey);
  for (const { schema, table, column } of columns)
    await run(
      tx,
      sql`update ${sql.id(schema, table)} set ${sql.ref(column)} = ${person}
        where ${sql.ref(column)} = ${ghost}`,
    );
  await run(
    tx,
    sql`update imported_records set local_id = ${person}, made = false where local_id = ${ghost}`,
  );
  await run(tx, sql`update imported_records set other_id = ${person} where other_id = ${ghost}`);
  await run(
    tx,
    sql`update address_redirects set thing_id = ${person} where kind = 'user' and thing_id = ${ghost}`,
  );
}

/** The first host of an event is not among its further hosts. */
const removeRepeatedHosts = (tx: Tx, person: string) =>
  run(
    tx,
    sql`delete from event_hosts h using calendar_events e
        where h.person_id = ${person} and e.id = h.event_id and e.host_id = h.person_id`,
  );

/**
 * Transfers profile values: the person's own values are kept, and missing values are filled from the
 * imported account.
 */
async function transferProfile(tx: Tx, ghost: string, person: string): Promise<void> {
  await run(
    tx,
    sql`
    update people p set created_at = least(p.created_at, g.created_at),
      pronouns = coalesce(nullif(p.pronouns, ''), g.pronouns),
      location = coalesce(nullif(p.location, ''), g.location), bio_md = case when p.bio_md = '' then g.bio_md
        else p.bio_md end,
      privacy = case when p.privacy = '{}' then g.privacy else p.privacy end,
      bio_html = case when p.bio_md = '' then g.bio_html else p.bio_html end,
      fields = case when p.fields in ('{}', '[]') then g.fields else p.fields end,
      photo_id = coalesce(p.photo_id, g.photo_id), photo_alt = case when p.photo_id is null then g.photo_alt
        else p.photo_alt end,
      mail_level = case when p.mail_level = 'important' then g.mail_level else p.mail_level end,
      header_id = coalesce(p.header_id, g.header_id), updated_at = ${tx.now}
    from people g where p.id = ${person} and g.id = ${ghost}`,
  );
  await run(
    tx,
    sql`update uploads set attached_id = ${person} where attached_kind = 'person' and attached_id = ${ghost}`,
  );
  await run(
    tx,
    sql`update notification_settings set person_id = ${person} where person_id = ${ghost}
          and not exists (select from notification_settings own where own.person_id = ${person})`,
  );
  const gone = await maybeOne(
    tx,
    sql<{ username: string }>`delete from people where id = ${ghost} and state = 'ghost' returning username`,
  );
  if (gone)
    await run(
      tx,
      sql`insert into former_usernames (username, person_id, until)
        values (${gone.username}, ${person}, ${addMilliseconds(tx.now, FORMER_NAME_PERIOD)})
          on conflict (username) do nothing`,
    );
}
