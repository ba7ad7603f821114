import { sql } from "#platform/database";

type Sql = ReturnType<typeof sql>;

/** Whom something that happened is told, and as what: the parts of one statement. */
export type Telling = {
  /** Who might be told: rows of `person_id, rank, kind, reason`; of several for one person the lowest rank counts. */
  candidates: Sql;
  /**
   * Joins and a condition that begins with `where`: what of it each of them may see, as it is now. `c` is the candidate
   * and `p` the person.
   */
  sight: Sql;
  /** What it is about. The id may come from the joins: a post stands where it stands by now. */
  object: { kind: "discussion" | "conversation" | "group" | "resource" | "person" | "announcement" | "report" | "search"; id: Sql };
  /** Who did it; null where it was nobody, or nobody is named. */
  actor: string | null;
  /** The very post, comment or message to open. */
  latest: string | Sql | null;
  /** Names the single thing that is told: whoever was told of it is not told again. */
  item: Sql;
  /** A word more, for kinds that need one. */
  detail?: Sql;
  /** For what they may not see any more: the name by which they know it. Such a row is theirs whatever becomes of what it is about. */
  keptName?: Sql;
  /** What was said with it: the reason of a decision. */
  words?: Sql;
  /** From when on it holds, or until when. */
  moment?: Sql;
};

/** Joins what the group `g` is to each of the candidates; with it the conditions of `#community/groups` hold for each. */
export const theirTie = sql`left join memberships m on m.group_id = g.id and m.person_id = c.person_id`;

/** The name of a happening that has no thing of its own to be named by. */
export const itemOf = (outboxId: string) => sql`md5(${`outbox:${outboxId}`}::text)::uuid`;
