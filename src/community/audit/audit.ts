import { run, sql, type Tx } from "#platform/database";
import type { Viewer } from "#community/rules";

/** What was done to what, and why: `discussion.locked`, `post.removed`. Details are ids and states, never texts. */
export type Act = {
  act: string;
  kind:
    | "person"
    | "group"
    | "discussion"
    | "post"
    | "resource"
    | "conversation"
    | "import"
    | "report"
    | "profile-field"
    | "announcement"
    | "role"
    | "backend";
  id: string;
  reason?: string | null;
  details?: Record<string, string | number | boolean | null>;
};

/** Writes down an act of somebody with power over others, in the transaction that does it. Nothing ever changes a row; two years later it goes. */
export const audit = (tx: Tx, viewer: Viewer, it: Act) =>
  run(
    tx,
    sql`insert into audit_events (id, at, actor_id, act, object_kind, object_id, reason, details)
        values (${tx.newId()}, ${tx.now}, ${viewer.id}, ${it.act}, ${it.kind}, ${it.id}, ${it.reason ?? null}, ${JSON.stringify(it.details ?? {})})`,
  );
