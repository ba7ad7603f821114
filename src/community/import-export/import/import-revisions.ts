import { many, run, sql } from "#platform/database";
import type { Row } from "../bulk-insert.ts";
import { type Batch, type Entry, formatSourceId, writeRows } from "./import-batch.ts";

export async function importRevisions(batch: Batch, entries: Entry<"revision">[]): Promise<void> {
  const keys = entries.map(
    ({ record }) => [batch.names.of("post", record.post)!, record.createdAt.toISOString()] as const,
  );
  const standing = await listExistingParts(
    batch,
    ["post_revisions", "post_id", "replaced_at", "timestamptz"],
    keys,
  );
  const rows = entries.map(({ record: it }, i): Row => {
    const [post, at] = keys[i]!;
    batch.names.add("revision", formatSourceId(it), {
      localId: post,
      part: at,
      made: !standing.has(formatPartKey(keys[i]!)),
    });
    return {
      post_id: post,
      body_md: it.body,
      replaced_at: at,
      replaced_by: batch.names.of("user", it.by)!,
      reason: it.reason ?? "",
    };
  });
  await writeRows(batch, "post_revisions", rows);
  batch.count("revision", "made", rows.length);
}

/** Versions of documents and files; their files belong to the same resource. */
export async function importVersions(batch: Batch, entries: Entry<"version">[]): Promise<void> {
  const keys = entries.map(
    ({ record }) => [batch.names.of("resource", record.resource)!, String(record.number)] as const,
  );
  const standing = await listExistingParts(
    batch,
    ["resource_versions", "resource_id", "version", "int"],
    keys,
  );
  const rows = entries.map(({ record: it }, i): Row => {
    const [resource, number] = keys[i]!;
    batch.names.add("version", formatSourceId(it), {
      localId: resource,
      part: number,
      made: !standing.has(formatPartKey(keys[i]!)),
    });
    return {
      resource_id: resource,
      version: it.number,
      by_id: batch.names.of("user", it.by)!,
      note: it.note,
      body_md: it.body,
      upload_id: it.file ? (batch.names.of("file", it.file) ?? null) : null,
      restored_from: it.restoredFrom ?? null,
      created_at: it.createdAt,
    };
  });
  await writeRows(batch, "resource_versions", rows);
  batch.count("version", "made", rows.length);
  if (batch.check) return;
  await run(
    batch.tx,
    sql`update uploads u set attached_kind = 'resource', attached_id = v.resource_id,
      owner_id = coalesce(u.owner_id, v.by_id)
        from resource_versions v where v.resource_id = any(${keys.map(([id]) => id)}::uuid[])
          and u.id = v.upload_id and u.attached_kind is null`,
  );
}

type Key = readonly [string, string];
const formatPartKey = ([id, part]: Key) => `${id} ${part}`;

/** Versions that exist already. An undo does not remove them. */
async function listExistingParts(
  batch: Batch,
  [table, one, part, type]: readonly [string, string, string, "int" | "timestamptz"],
  keys: Key[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await many(
    batch.tx,
    sql<{ id: string; part: string }>`
      select it.id, it.part
      from unnest(${keys.map(([id]) => id)}::uuid[], ${keys.map(([, said]) => said)}::text[]) it (id, part)
      join ${sql.table(table)} t on t.${sql.ref(one)} = it.id
        and t.${sql.ref(part)} = it.part::${sql.raw(type)}`,
  );
  return new Set(rows.map(({ id, part: said }) => formatPartKey([id, said])));
}
