import { type Db, limit, many, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import {
  encodeCursor,
  andIfGiven,
  type Page,
  toPage,
  personCard,
  type PersonCard,
  prefixQuery,
  readCursor,
} from "#community/common";
import { nameSearchVector } from "#community/friends";
import { appealRules, type GroupFacts, groupRules, LIMITS, type Viewer } from "#community/rules";

export type BannedPerson = {
  person: PersonCard;
  reason: string;
  since: Date;
  /** Null if the ban lasts until it is lifted. */
  until: Date | null;
  /** The moderator who banned the person; null if that account is erased. */
  by: PersonCard | null;
  /** The appeal and its answer; null without one. */
  appeal: { text: string; askedAt: Date; answer: string; declinedAt: Date | null } | null;
  /** Whether the viewer may decline the appeal. */
  canDecline: boolean;
};
type BanRow = Omit<BannedPerson, "appeal" | "canDecline"> & {
  appeal: string;
  askedAt: Date | null;
  answer: string;
  declinedAt: Date | null;
  othersLead: boolean;
};

/** Condition: the group has another moderator than the one who banned `m`. */
export const hasOtherModerators = sql<boolean>`exists (
  select from memberships o join people l on l.id = o.person_id and l.state in ('active', 'limited')
  where o.group_id = m.group_id and o.state = 'member' and o.role > 'member'
    and o.person_id is distinct from m.banned_by)`;

/** Condition: the group `g` has a pending appeal against a ban. */
export const hasPendingAppeal = (group: string) => {
  const g = sql.ref(group);
  return sql<boolean>`exists (
  select from memberships a
  where a.group_id = ${g}.id and a.appealed_at is not null and a.appeal_declined_at is null)`;
};

type BansQuery = { after?: string | undefined; search?: string | undefined };

/** Maximum number of pending appeals listed before all other bans. */
const MAX_APPEALS = 200;
const isAppealPending = sql<boolean>`(m.appealed_at is not null and m.appeal_declined_at is null)`;

/**
 * A page of the people banned from a group: pending appeals first, those waiting longest on top, then the
 * latest bans. `search` matches names.
 * @throws `not-allowed` for viewers who may not ban
 */
export async function listBans(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
  query: BansQuery = {},
): Promise<Page<BannedPerson>> {
  if (!groupRules.remove(viewer, group, { id: "", role: null }) || !groupRules.seeMembers(viewer, group))
    throw new Refusal("not-allowed", "Only moderators of the group can remove or ban members.");
  const cursor = readCursor(query.after, ["time", "id"]);
  const size = LIMITS.page.people;
  const called = andIfGiven(
    prefixQuery(query.search),
    (it) => sql`${nameSearchVector("p")} @@ to_tsquery('simple', ${it})`,
  );
  const [asking, others] = await Promise.all([
    cursor
      ? []
      : many(
          db,
          bansQuery(
            group,
            sql`${isAppealPending} ${called} order by m.appealed_at, p.id ${limit(MAX_APPEALS)}`,
          ),
        ),
    many(
      db,
      bansQuery(
        group,
        sql`not ${isAppealPending} ${called} ${andIfGiven(
          cursor,
          ([at, id]) => sql`(m.changed_at,
          p.id) < (${at}, ${id}::uuid)`,
        )}
        order by m.changed_at desc, p.id desc ${limit(size + 1)}`,
      ),
    ),
  ]);
  const { rows, next } = toPage(others, size, (last) => encodeCursor(last.since, last.person.id));
  return { rows: [...asking, ...rows].map((row) => toBannedPerson(viewer, group, row)), next };
}

const bansQuery = (group: { id: string }, which: ReturnType<typeof sql>) => sql<BanRow>`
  select ${personCard("p")} as person, m.reason, m.changed_at as since, m.banned_until as until,
    case when b.id is not null then ${personCard("b")}
      end as by, m.appeal, m.appealed_at as "askedAt", m.appeal_answer as answer,
    m.appeal_declined_at as "declinedAt", ${hasOtherModerators} as "othersLead"
  from memberships m join people p on p.id = m.person_id left join people b on b.id = m.banned_by
  where m.group_id = ${group.id} and m.state = 'banned' and ${which}`;

function toBannedPerson(
  viewer: Viewer,
  group: GroupFacts,
  { appeal: text, askedAt, answer, declinedAt, othersLead: others, ...it }: BanRow,
): BannedPerson {
  const facts = { personId: it.person.id, bannedBy: it.by?.id ?? null, othersLead: others };
  return {
    ...it,
    appeal: askedAt && { text, askedAt, answer, declinedAt },
    canDecline: askedAt !== null && declinedAt === null && appealRules.decline(viewer, group, facts),
  };
}
