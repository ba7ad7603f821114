import { uuidv7 } from "#platform/ids";
import { renderMarkdown } from "#platform/markup";
import { normalizeAddress } from "#community/resources";
import type { DemoResource } from "./demo-data.ts";
import type { Row } from "../bulk-insert.ts";
import type { StoredFile } from "./demo-files.ts";
import type { Seeding } from "./seeding-context.ts";

/** The library's rows by table. `files` are the stored files by the key of their resource. */
export function createLibraryRows(s: Seeding, files: Map<string, StoredFile>) {
  const collection = new Map(s.demo.collections.map((it) => [it.key, uuidv7(s.at(1).getTime())]));
  const kept = s.demo.resources.map((it) => ({
    it,
    id: uuidv7(s.at(it.ago).getTime()),
    upload: it.kind === "file" ? uuidv7(s.at(it.ago).getTime()) : null,
  }));
  const uploads = kept.flatMap(({ it, id, upload }) =>
    upload ? [createUploadRow(s, it, id, upload, files.get(it.key)!)] : [],
  );
  const collections: Row[] = s.demo.collections.map((it) => ({
    id: collection.get(it.key),
    group_id: it.group && s.group(it.group),
    curator_id: s.person(it.curator),
    title: it.title,
    about: it.about,
    created_at: s.at(24),
  }));
  const items = kept.flatMap(({ it, id }, position): Row[] =>
    it.collection ? [{ collection_id: collection.get(it.collection), resource_id: id, position }] : [],
  );
  const uses = kept.flatMap(({ it, id }) =>
    it.usedIn.map((use): Row => ({ resource_id: id, post_id: s.post(use.discussion, use.post) })),
  );
  return {
    uploads,
    resources: kept.map(({ it, id, upload }) => createResourceRow(s, it, id, upload)),
    collections,
    items,
    uses,
  };
}

const createUploadRow = (
  s: Seeding,
  it: DemoResource,
  resource: string,
  id: string,
  file: StoredFile,
): Row => ({
  id,
  owner_id: s.person(it.owner),
  hash: file.hash,
  size: file.size,
  mime: file.mime,
  file_name: it.file!.name,
  alt: "",
  attached_kind: "resource",
  attached_id: resource,
  created_at: s.at(it.ago),
});

const createResourceRow = (s: Seeding, it: DemoResource, id: string, upload: string | null): Row => ({
  id,
  kind: it.kind,
  group_id: it.group && s.group(it.group),
  owner_id: s.person(it.owner),
  title: it.title,
  why: it.why,
  url: it.url ?? null,
  normal_url: it.url ? normalizeAddress(it.url) : null,
  site_name: it.siteName ?? "",
  body_md: it.body ?? "",
  body_html: renderMarkdown(it.body ?? ""),
  upload_id: upload,
  tags: it.tags,
  language: it.language,
  licence: it.licence,
  state: "published",
  health: "unknown",
  version: 1,
  comments_count: 0,
  featured_at: it.featured ? s.at(it.ago) : null,
  featured_by: it.featured ? s.person("ada") : null,
  created_at: s.at(it.ago),
});
