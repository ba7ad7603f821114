import { run, sql } from "#platform/database";
import { renderMarkdown } from "#platform/markup";
import { normalizeAddress } from "#community/resources";
import type { ResourceKind } from "#community/rules";
import type { Row } from "../bulk-insert.ts";
import { type Batch, type Entry, assignIds, refuseRecord, writeRows } from "./import-batch.ts";
import { storeOldPaths } from "./old-paths.ts";
import { importRelationships } from "./import-relationships.ts";

/** Imports library resources. A file without bytes and a link without an address are skipped. */
export async function importResources(batch: Batch, entries: Entry<"resource">[]): Promise<void> {
  const whole = entries.filter((entry) => {
    const { kind, url, file } = entry.record;
    const lacks =
      isLink(kind) && !url
        ? "an address"
        : (kind === "file" || kind === "image") && !file
          ? "its file"
          : null;
    if (lacks) refuseRecord(batch, entry, `a ${entry.record.kind} without ${lacks}.`);
    return !lacks;
  });
  const fresh = await assignIds(batch, "resources", whole, (it) => it);
  await writeRows(
    batch,
    "resources",
    fresh.map((it) => createResourceRow(batch, it)),
  );
  await storeOldPaths(batch, "resource", fresh);
  if (batch.check) return;
  await run(
    batch.tx,
    sql`update uploads u set attached_kind = 'resource', attached_id = r.id,
      owner_id = coalesce(u.owner_id, r.owner_id)
        from resources r where r.id = any(${fresh.map(({ id }) => id)}::uuid[]) and u.id = r.upload_id
          and u.attached_kind is null`,
  );
}

const isLink = (kind: ResourceKind) => kind === "link" || kind === "video";

const createResourceRow = (batch: Batch, { id, record: it }: Entry<"resource"> & { id: string }): Row => ({
  id,
  kind: it.kind,
  group_id: it.group ? batch.names.of("group", it.group)! : null,
  owner_id: batch.names.of("user", it.owner)!,
  title: it.title,
  why: it.why,
  url: isLink(it.kind) ? it.url : null,
  normal_url: isLink(it.kind) && it.url ? normalizeAddress(it.url) : null,
  site_name: it.siteName,
  body_md: it.body,
  body_html: batch.check ? "" : renderMarkdown(it.body),
  upload_id: it.file ? (batch.names.of("file", it.file) ?? null) : null,
  tags: it.tags,
  language: it.language,
  licence: it.licence,
  state: it.state,
  audience: it.audience,
  health: "unknown",
  version: it.version,
  changes: it.changes,
  edits_by: it.editsBy,
  comments_count: 0,
  ...createFeaturedColumns(batch, it),
  ...createRemovalColumns(batch, it),
  hidden_at: it.state === "hidden" ? (it.hiddenAt ?? null) : null,
  hidden_count: it.hiddenTimes,
  unhidden_at: it.shownAt ?? null,
  created_at: it.createdAt,
  updated_at: it.updatedAt ?? null,
});

function createFeaturedColumns(batch: Batch, { featuredAt, featuredBy }: Entry<"resource">["record"]): Row {
  const by = featuredAt && featuredBy ? (batch.names.of("user", featuredBy) ?? null) : null;
  return { featured_at: by === null ? null : featuredAt, featured_by: by };
}

/** Without a removal date the thirty days start now. */
function createRemovalColumns(batch: Batch, it: Entry<"resource">["record"]): Row {
  if (it.state !== "removed") return { removed_at: null, removed_by: null, removed_reason: "" };
  const by = it.removedBy && batch.names.of("user", it.removedBy);
  return {
    removed_at: it.removedAt ?? batch.tx.now,
    removed_by: by ?? batch.names.of("user", it.owner)!,
    removed_reason: it.removedReason,
  };
}

export const importResourceUses = (batch: Batch, entries: Entry<"use">[]): Promise<void> =>
  importRelationships(batch, "use", ["resource_uses", ["resource_id", "post_id"]], entries, (it) => ({
    ends: [batch.names.of("resource", it.resource)!, batch.names.of("post", it.post)!],
    more: { is_origin: it.origin },
  }));

export async function importCollections(batch: Batch, entries: Entry<"collection">[]): Promise<void> {
  await batch.names.learn(
    batch.tx,
    entries.flatMap(({ record }) =>
      record.items.map(({ resource }) => ({ kind: "resource" as const, id: resource })),
    ),
  );
  const fresh = await assignIds(batch, "collections", entries, (it) => it);
  await writeRows(
    batch,
    "collections",
    fresh.map(({ id, record: it }) => ({
      id,
      group_id: it.group ? batch.names.of("group", it.group)! : null,
      curator_id: batch.names.of("user", it.curator)!,
      title: it.title,
      about: it.about,
      audience: it.audience,
      created_at: it.createdAt,
    })),
  );
  const items = fresh.flatMap((it) =>
    it.record.items.flatMap(({ resource, position }) => {
      const found = batch.names.of("resource", resource);
      if (!found)
        batch.note(
          it,
          `It links the resource ${resource}, which does not precede it: imported without that link.`,
        );
      return found ? [{ collection_id: it.id, resource_id: found, position }] : [];
    }),
  );
  await writeRows(batch, "collection_items", items);
  await writeRows(
    batch,
    "collection_curators",
    fresh.flatMap((it) => createCuratorRows(batch, it)),
  );
}

function createCuratorRows(batch: Batch, { id, record }: Entry<"collection"> & { id: string }): Row[] {
  const curator = batch.names.of("user", record.curator)!;
  return record.helpers.flatMap(({ user, by, createdAt }) => {
    const person = batch.names.of("user", user);
    if (!person || person === curator) return [];
    return [
      {
        collection_id: id,
        person_id: person,
        added_by: (by && batch.names.of("user", by)) ?? curator,
        added_at: createdAt ?? record.createdAt,
      },
    ];
  });
}
