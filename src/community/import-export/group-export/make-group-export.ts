import type { Database, Db } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { Storage, StoredContent } from "#platform/storage";
import { markGroupExportTooLarge, startGroupExport, type GroupExportRequest } from "#community/groups";
import { groupRules, isSignedIn, type Viewer, SERVER_LIMITS } from "#community/rules";
import { COMMUNITY_FILE } from "../adapters/ndjson.ts";
import type { FinishedExport } from "../personal-export/make-personal-export.ts";
import { writeArchiveLines, archivePath, type WriteProgress } from "../writing/archive-lines.ts";
import { addStoredFile, addText, FIXED_ENTRY_OPTIONS, storeZip } from "../writing/zip-writer.ts";
import type { ExportedGroup } from "./visible-content.ts";
import { listGroupParts } from "./export-parts.ts";

type GroupExportContext = {
  database: Pick<Database, "db" | "inTransaction" | "inSnapshot">;
  storage: Storage;
};

/**
 * Writes a zip with everything in a group that its requester can read. Returns null if the export was
 * cancelled, if its requester no longer owns the group, or if it exceeds two gigabytes; an export that is too
 * large is recorded as such.
 */
export async function makeGroupExport(
  app: GroupExportContext,
  exportId: string,
): Promise<FinishedExport | null> {
  const groupExportRequest = await app.database.inTransaction((tx) => startGroupExport(tx, exportId));
  if (!groupExportRequest) return null;
  try {
    return { id: exportId, ...(await storeGroupZip(app, groupExportRequest)) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== "too-large") throw error;
    await app.database.inTransaction((tx) => markGroupExportTooLarge(tx, exportId));
    return null;
  }
}

const storeGroupZip = (
  { database, storage }: GroupExportContext,
  { viewer, group }: GroupExportRequest,
): Promise<StoredContent> =>
  storeZip(storage, SERVER_LIMITS.export.bytes, async (zip, storing) => {
    const written: WriteProgress = { records: {}, hashes: new Set() };
    await database.inSnapshot((tx) =>
      addText(zip, COMMUNITY_FILE, writeGroupLines(tx, viewer, group, written), storing, FIXED_ENTRY_OPTIONS),
    );
    for (const hash of [...written.hashes].sort())
      await addStoredFile(zip, storage, { hash, name: archivePath(hash) }, FIXED_ENTRY_OPTIONS);
  });

/**
 * Yields the archive lines of a group, with everything that its owner `me` can read. Needs a transaction.
 * @throws `not-allowed` for people who do not own the group
 */
export async function* writeGroupLines(
  tx: Db,
  viewer: Viewer,
  group: ExportedGroup,
  written: WriteProgress = { records: {}, hashes: new Set() },
): AsyncGenerator<string> {
  if (!isSignedIn(viewer) || !groupRules.export(viewer, group))
    throw new Refusal("not-allowed", "Only owners can export a group.");
  yield* writeArchiveLines(tx, listGroupParts(viewer, group), written);
}
