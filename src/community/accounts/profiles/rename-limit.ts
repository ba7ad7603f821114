import { DAY, addMilliseconds } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { isStaff, type Viewer, SERVER_LIMITS } from "#community/rules";
import { hasWritingLimits } from "#community/settings";

type NameChanges = { name: string; renamed: number; since: Date | null; limited: boolean };

/** Tables with display names, and their columns. */
const COLUMNS = { people: "display_name", groups: "name" } as const;

/**
 * Limits name changes of a person or group to five a day, so that no one impersonates several people in
 * turn. Locks the row. Staff are exempt, and everyone where an admin has lifted the limits.
 * @throws `too-many` on `name`
 */
export async function assertRenameLimit(
  tx: Tx,
  viewer: Viewer,
  table: keyof typeof COLUMNS,
  id: string,
  name: string,
): Promise<void> {
  const now = await maybeOne(
    tx,
    sql<NameChanges>`select ${sql.ref(COLUMNS[table])} as name, renamed, renamed_since as since,
      ${hasWritingLimits} as limited
               from ${sql.table(table)} where id = ${id} for no key update`,
  );
  if (!now || now.name === name || !now.limited || isStaff(viewer)) return;
  const counted = now.since !== null && addMilliseconds(now.since, DAY) > tx.now;
  if (counted && now.renamed >= SERVER_LIMITS.renamesInADay)
    throw renameLimitRefusal(addMilliseconds(now.since!, DAY).getTime() - tx.now.getTime());
  await run(
    tx,
    counted
      ? sql`update ${sql.table(table)} set renamed = renamed + 1 where id = ${id}`
      : sql`update ${sql.table(table)} set renamed = 1, renamed_since = ${tx.now} where id = ${id}`,
  );
}

const TOO_OFTEN = { fields: { name: "A name can change at most five times a day. Come back tomorrow." } };
const renameLimitRefusal = (wait: number) =>
  new Refusal("too-many", TOO_OFTEN.fields.name, { ...TOO_OFTEN, retryAfter: Math.ceil(wait / 1_000) });
