import { type Db, limit, many, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { cursorOf, given, type Page, pageOf, personCard, type PersonCard, prefixQuery, readCursor } from "#community/common";
import { NAME_WORDS } from "#community/friends";
import { appealRules, type GroupFacts, groupRules, LIMITS, type Viewer } from "#community/rules";

export type KeptOut = {
  person: PersonCard;
  reason: string;
  since: Date;
  /** Null: until it is lifted. */
  until: Date | null;
  /** The moderator who banned them; null if that account is gone. */
  by: PersonCard | null;
  /** The appeal and its answer; null without one. */
  appeal: { text: string; askedAt: Date; answer: string; declinedAt: Date | null } | null;
  /** Whether the viewer may decline the appeal. */
  mayDecline: boolean;
};
type Row = Omit<KeptOut, "appeal" | "mayDecline"> & {
  appeal: string;
  askedAt: Date | null;
  answer: string;
  declinedAt: Date | null;
  othersLead: boolean;
};

/** The group has another moderator than the one who banned `m`. */
export const othersLead = sql<boolean>`exists (
  select from memberships o join people l on l.id = o.person_id and l.state in ('active', 'limited')
  where o.group_id = m.group_id and o.state = 'member' and o.role > 'member' and o.person_id is distinct from m.banned_by)`;

/** The group `g` has a pending appeal against a ban. */
export const appealWaits = sql<boolean>`exists (
  select from memberships a where a.group_id = g.id and a.appealed_at is not null and a.appeal_declined_at is null)`;

type KeptOutQuery = { after?: string | undefined; search?: string | undefined };

/** Maximum number of pending appeals listed before all others. */
const MOST_ASKING = 200;
const asks = sql<boolean>`(m.appealed_at is not null and m.appeal_declined_at is null)`;

/**
 * Banned people of a group by page: pending appeals first, the longest waiting on top, then the latest bans.
 * `search` matches names.
 * @throws `not-allowed` for viewers who may not ban
 */
export async function keptOutOf(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
  query: KeptOutQuery = {},
): Promise<Page<KeptOut>> {
  if (!groupRules.remove(viewer, group, { id: "", role: null }) || !groupRules.seeMembers(viewer, group))
    throw new Refusal("not-allowed", "Only those who look after the group decide who stays in it.");
  const cursor = readCursor(query.after, ["time", "id"]);
  const size = LIMITS.page.people;
  const called = given(prefixQuery(query.search), (it) => sql`${NAME_WORDS} @@ to_tsquery('simple', ${it})`);
  const [asking, others] = await Promise.all([
    cursor ? [] : many(db, rowsOf(group, sql`${asks} ${called} order by m.appealed_at, p.id ${limit(MOST_ASKING)}`)),
    many(
      db,
      rowsOf(
        group,
        sql`not ${asks} ${called} ${given(cursor, ([at, id]) => sql`(m.changed_at, p.id) < (${at}, ${id}::uuid)`)}
        order by m.changed_at desc, p.id desc ${limit(size + 1)}`,
      ),
    ),
  ]);
  const { rows, next } = pageOf(others, size, (last) => cursorOf(last.since, last.person.id));
  return { rows: [...asking, ...rows].map((row) => asListed(viewer, group, row)), next };
}

const rowsOf = (group: { id: string }, which: ReturnType<typeof sql>) => sql<Row>`
  select ${personCard("p")} as person, m.reason, m.changed_at as since, m.banned_until as until,
    case when b.id is not null then ${personCard("b")} end as by, m.appeal, m.appealed_at as "askedAt", m.appeal_answer as answer,
    m.appeal_declined_at as "declinedAt", ${othersLead} as "othersLead"
  from memberships m join people p on p.id = m.person_id left join people b on b.id = m.banned_by
  where m.group_id = ${group.id} and m.state = 'banned' and ${which}`;

function asListed(
  viewer: Viewer,
  group: GroupFacts,
  { appeal: text, askedAt, answer, declinedAt, othersLead: others, ...it }: Row,
): KeptOut {
  const facts = { personId: it.person.id, bannedBy: it.by?.id ?? null, othersLead: others };
  return {
    ...it,
    appeal: askedAt && { text, askedAt, answer, declinedAt },
    mayDecline: askedAt !== null && declinedAt === null && appealRules.decline(viewer, group, facts),
  };
}
