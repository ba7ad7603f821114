import { sql } from "#platform/database";

type Sql = ReturnType<typeof sql>;

/** Recipients and content of the notifications for a domain event: the parts of one statement. */
export type NotificationTrigger = {
  /** Candidates: rows of `person_id, rank, kind, reason`; the lowest rank per person wins. */
  candidates: Sql;
  /**
   * Joins and a condition starting with `where`: what each candidate may see now. `c` is the candidate and
   * `p` the person.
   */
  sight: Sql;
  /** The subject. Its id may come from the joins, because a post may have moved. */
  object: {
    kind:
      | "discussion"
      | "conversation"
      | "group"
      | "resource"
      | "person"
      | "announcement"
      | "report"
      | "search"
      | "event";
    id: Sql;
  };
  /** The actor; null if there is none or it is not named. */
  actor: string | null;
  /** The post, comment or message to open. */
  latest: string | Sql | null;
  /** Identifies the occurrence: people already notified of it are skipped. */
  item: Sql;
  /** A further detail, for kinds that need one. */
  detail?: Sql;
  /**
   * For a subject the person can no longer see: the name they know. Such a row stays whatever becomes of the
   * subject.
   */
  keptName?: Sql;
  /** The reason of a decision. */
  words?: Sql;
  /** Start or end of the effect. */
  moment?: Sql;
};

/** The item of a domain event without an entity of its own. */
export const eventItem = (outboxId: string) => sql`md5(${`outbox:${outboxId}`}::text)::uuid`;
