import { run, sql, type Tx } from "#platform/database";
import type { Viewer } from "#community/rules";

/**
 * An audited action, its object and reason: `discussion.locked`, `post.removed`. Details are ids and states,
 * never texts.
 */
export type AuditEntry = {
  act: string;
  kind:
    | "person"
    | "group"
    | "discussion"
    | "post"
    | "resource"
    | "conversation"
    | "event"
    | "import"
    | "report"
    | "case"
    | "profile-field"
    | "announcement"
    | "watched-word"
    | "link-domain"
    | "blocked-address"
    | "role"
    | "webhook"
    | "backend";
  id: string;
  reason?: string | null;
  details?: Record<string, string | number | boolean | null>;
};

/**
 * Writes an audit entry for a privileged action, in its transaction. Entries never change and are purged
 * after two years.
 */
export const writeAudit = (tx: Tx, viewer: Viewer, auditEntry: AuditEntry) =>
  run(
    tx,
    sql`insert into audit_events (id, at, actor_id, act, object_kind, object_id, reason, details)
        values (${tx.newId()}, ${tx.now}, ${viewer.id}, ${auditEntry.act}, ${auditEntry.kind},
          ${auditEntry.id}, ${auditEntry.reason ?? null}, ${JSON.stringify(auditEntry.details ?? {})})`,
  );
