import { many, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { audit } from "#community/audit";
import { personRules, type Viewer } from "#community/rules";

/** What stays: how the place is set, what was done to it, and what is yet to be told. */
const STAY = ["migrations", "settings", "audit_events", "outbox", "outbox_failures", "data_config"];

/**
 * Takes away everybody, and everything they wrote and kept, for installations that are there to be tested. `not-allowed` for
 * all but whoever holds the server key.
 */
export async function emptyPlace(tx: Tx, viewer: Viewer): Promise<void> {
  if (!personRules.actAs(viewer)) throw new Refusal("not-allowed", "Only programs with the server key do that.");
  const tables = await many(
    tx,
    sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and not table_name = any(${STAY})`,
  );
  await sql`truncate table ${sql.join(tables.map(({ name }) => sql.table(name)))} cascade`.execute(tx);
  await audit(tx, viewer, { act: "backend.emptied", kind: "backend", id: "place" });
  await announce(tx, { type: "backend.emptied" });
}
