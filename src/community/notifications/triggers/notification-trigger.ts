import { sql } from "#platform/database";

type Sql = ReturnType<typeof sql>;

/** Recipients and content of the notifications for a domain event, as parts of one SQL statement. */
export type NotificationTrigger = {
  /** Candidates: rows of `person_id, rank, kind, reason`; the lowest rank per person wins. */
  candidates: Sql;
  /**
   * Joins, and a condition that starts with `where`, for what each candidate `c` (as person `p`) may see
   * now.
   */
  visibility: Sql;
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
      | "event"
      | "date_poll";
    id: Sql;
  };
  /** The actor; null if there is none, or if the notification must not name them. */
  actor: string | null;
  /** Id of the post, comment or message to open. */
  latest: string | Sql | null;
  /** Identifies the occurrence: people already notified of it are skipped. */
  item: Sql;
  /** A further detail, for kinds that need one. */
  detail?: Sql;
  /**
   * Name of a subject that the person can no longer see. A row with a stored name remains even if the
   * subject changes or is deleted.
   */
  keptName?: Sql;
  /** The reason of a decision. */
  words?: Sql;
  /** Start or end of the decision's effect. */
  moment?: Sql;
};

/** Item for a domain event that has no entity of its own. */
export const domainEventItemId = (outboxId: string) => sql`md5(${`outbox:${outboxId}`}::text)::uuid`;
