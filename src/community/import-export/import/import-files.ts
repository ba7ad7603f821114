import { run, sql } from "#platform/database";
import { enqueueJobs } from "#platform/jobs";
import type { RecordOf } from "../archive/records.ts";
import { type Batch, type Entry, assignIds, writeRows } from "./import-batch.ts";

type Placed = Entry<"file"> & { id: string };

/**
 * Imports pictures and files whose bytes are in storage already. With a scanner, no file is served before it
 * was scanned.
 */
export async function importFiles(batch: Batch, entries: Entry<"file">[]): Promise<void> {
  const fresh = await assignIds(batch, "uploads", entries, (it) => it);
  await writeRows(
    batch,
    "uploads",
    fresh.map((it) => createUploadRow(batch, it)),
  );
  if (batch.check) return;
  const scanned = batch.scans ? fresh.filter(({ record }) => !record.as && !record.state) : [];
  await enqueueJobs(
    batch.tx,
    scanned.map(({ id }) => ({
      task: "scan-file",
      payload: { uploadId: id },
      key: `scan-file:${id}`,
      mostAttempts: 25,
    })),
  );
  for (const as of ["photo", "header"] as const) await attachPictures(batch, as, fresh);
}

const createUploadRow = (batch: Batch, { id, record: it }: Placed) => ({
  id,
  owner_id: it.owner ? batch.names.of("user", it.owner) : null,
  width: it.width ?? null,
  height: it.height ?? null,
  ...batch.stored.get(it.id)!,
  // A file without a name is shown in its text and not listed as an attachment.
  file_name: it.as === "picture" ? "" : it.name,
  alt: it.alt,
  state: it.state ?? (batch.scans && !it.as ? "scanning" : "ok"),
  ...findOwningEntity(batch, it),
  created_at: it.createdAt ?? batch.tx.now,
});

/** Pictures in texts and resource files are attached when their text or resource is imported. */
function findOwningEntity(batch: Batch, { as, user, group }: RecordOf<"file">) {
  if (as && as !== "picture" && user)
    return { attached_kind: "person", attached_id: batch.names.of("user", user)! };
  if (as && as !== "picture" && group)
    return { attached_kind: "group", attached_id: batch.names.of("group", group)! };
  return { attached_kind: null, attached_id: null };
}

/** Sets pictures of people and groups that have none. */
async function attachPictures(batch: Batch, as: "photo" | "header", fresh: Placed[]): Promise<void> {
  const [ids, place] = [
    fresh.filter(({ record }) => record.as === as).map(({ id }) => id),
    sql.ref(`${as}_id`),
  ];
  if (ids.length === 0) return;
  for (const [table, kind, whose] of [
    ["people", "person", sql`t.state = 'ghost'`],
    ["groups", "group", sql`true`],
  ] as const)
    await run(
      batch.tx,
      sql`update ${sql.table(table)} t set ${place} = u.id from uploads u
          where u.id = any(${ids}::uuid[]) and u.attached_kind = ${kind} and t.id = u.attached_id
            and t.${place} is null and ${whose}`,
    );
}
