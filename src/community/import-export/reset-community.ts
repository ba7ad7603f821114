import { many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { personRules, type Viewer } from "#community/rules";

/** Tables that are kept: site settings, the audit log and pending domain events. */
const PRESERVED_TABLES = [
  "migrations",
  "settings",
  "audit_events",
  "outbox",
  "outbox_failures",
  "data_config",
];

/**
 * Deletes all people and all their content, for test installations.
 * @throws `not-allowed` for everyone but the holder of the server key
 */
export async function resetCommunity(tx: Tx, viewer: Viewer): Promise<void> {
  if (!personRules.actAs(viewer))
    throw new Refusal("not-allowed", "Only API clients with the server key can do this.");
  const tables = await many(
    tx,
    sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and not table_name = any(${PRESERVED_TABLES})`,
  );
  await run(tx, sql`truncate table ${sql.join(tables.map(({ name }) => sql.table(name)))} cascade`);
  await writeAudit(tx, viewer, { act: "backend.emptied", kind: "backend", id: "place" });
  await emit(tx, { type: "backend.emptied" });
}
