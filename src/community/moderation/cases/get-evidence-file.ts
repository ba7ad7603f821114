import { maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import type { Viewer } from "#community/rules";
import { findCase } from "./find-case.ts";

type StoredEvidence = { hash: string; mime: string; fileName: string; size: number; open: false };

/**
 * A picture or file of a case, for the readers of the case.
 * @throws `not-found` for everyone else, and once the file is no longer stored
 */
export async function getEvidenceFile(tx: Tx, viewer: Viewer, id: string): Promise<StoredEvidence> {
  if (viewer.id === null || !isId(id)) throw notFound();
  const file = await maybeOne(
    tx,
    sql<StoredEvidence & { reportId: string }>`
      select report_id as "reportId", hash, mime, file_name as "fileName", size::float8 as size, false as open
      from report_files where id = ${id} and report_id is not null`,
  );
  if (!file) throw notFound();
  const { reportId, ...stored } = file;
  await findCase(tx, viewer, reportId);
  return stored;
}
