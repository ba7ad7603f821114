import type { Database, Db } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { Storage, Stored } from "#platform/storage";
import { groupExportTooLarge, takeUpGroupExport, type WantedExport } from "#community/groups";
import { groupRules, isSignedIn, LIMITS, type Viewer } from "#community/rules";
import { COMMUNITY } from "../adapters/ndjson.ts";
import type { Made } from "../personal/make-export.ts";
import { atOneMoment } from "../writing/cursor.ts";
import { linesOf, placeOf, type Written } from "../writing/lines.ts";
import { addStored, addText, DATED, storeZip } from "../writing/zipping.ts";
import type { AGroup } from "./in-sight.ts";
import { partsOf } from "./parts.ts";

type House = { database: Pick<Database, "db" | "inTransaction">; storage: Storage };

/**
 * Writes a group as its requester can read it into a zip. Null if the export was cancelled or its requester
 * no longer owns the group, and beyond two gigabytes, which is recorded.
 */
export async function makeGroupExport(house: House, exportId: string): Promise<Made | null> {
  const wanted = await house.database.inTransaction((tx) => takeUpGroupExport(tx, exportId));
  if (!wanted) return null;
  try {
    return { id: exportId, ...(await zipOf(house, wanted)) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "too-large") throw error;
    await house.database.inTransaction((tx) => groupExportTooLarge(tx, exportId));
    return null;
  }
}

const zipOf = ({ database, storage }: House, { viewer, group }: WantedExport): Promise<Stored> =>
  storeZip(storage, LIMITS.export.bytes, async (zip, storing) => {
    const written: Written = { records: {}, hashes: new Set() };
    await atOneMoment(database.db, (tx) => addText(zip, COMMUNITY, linesOfGroup(tx, viewer, group, written), storing, DATED));
    for (const hash of [...written.hashes].sort()) await addStored(zip, storage, { hash, name: placeOf(hash) }, DATED);
  });

/**
 * A group as one of its owners reads it, as archive lines; runs within a transaction.
 * @throws `not-allowed` for everyone else
 */
export async function* linesOfGroup(
  tx: Db,
  viewer: Viewer,
  group: AGroup,
  written: Written = { records: {}, hashes: new Set() },
): AsyncGenerator<string> {
  if (!isSignedIn(viewer) || !groupRules.export(viewer, group)) throw new Refusal("not-allowed", "Only an owner takes the group along.");
  yield* linesOf(tx, partsOf(viewer, group), written);
}
