import { uuidv7 } from "#platform/ids";
import { renderMarkdown } from "#platform/markup";
import { normalizeAddress } from "#community/resources";
import type { DemoResource } from "./demo-data.ts";
import type { Row } from "../bulk-insert.ts";
import type { StoredFile } from "./demo-files.ts";
import type { SeedingContext } from "./seeding-context.ts";

/** The library's rows by table. `files` are the stored files by the key of their resource. */
export function createLibraryRows(s: SeedingContext, files: Map<string, StoredFile>) {
  const collection = new Map(s.demo.collections.map((it) => [it.key, uuidv7(s.at(1).getTime())]));
  const kept = s.demo.resources.map((demoResource) => ({
    it: demoResource,
    id: uuidv7(s.at(demoResource.ago).getTime()),
    upload: demoResource.kind === "file" ? uuidv7(s.at(demoResource.ago).getTime()) : null,
  }));
  const uploads = kept.flatMap(({ it, id, upload }) =>
    upload ? [createUploadRow(s, it, id, upload, files.get(it.key)!)] : [],
  );
  const collections: Row[] = s.demo.collections.map((demoCollection) => ({
    id: collection.get(demoCollection.key),
    group_id: demoCollection.group && s.group(demoCollection.group),
    curator_id: s.person(demoCollection.curator),
    title: demoCollection.title,
    about: demoCollection.about,
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
  s: SeedingContext,
  demoResource: DemoResource,
  resource: string,
  id: string,
  file: StoredFile,
): Row => ({
  id,
  owner_id: s.person(demoResource.owner),
  hash: file.hash,
  size: file.size,
  mime: file.mime,
  file_name: demoResource.file!.name,
  alt: "",
  attached_kind: "resource",
  attached_id: resource,
  created_at: s.at(demoResource.ago),
});

const createResourceRow = (
  s: SeedingContext,
  demoResource: DemoResource,
  id: string,
  upload: string | null,
): Row => ({
  id,
  kind: demoResource.kind,
  group_id: demoResource.group && s.group(demoResource.group),
  owner_id: s.person(demoResource.owner),
  title: demoResource.title,
  why: demoResource.why,
  url: demoResource.url ?? null,
  normal_url: demoResource.url ? normalizeAddress(demoResource.url) : null,
  site_name: demoResource.siteName ?? "",
  body_md: demoResource.body ?? "",
  body_html: renderMarkdown(demoResource.body ?? ""),
  upload_id: upload,
  tags: demoResource.tags,
  language: demoResource.language,
  licence: demoResource.licence,
  state: "published",
  health: "unknown",
  version: 1,
  comments_count: 0,
  featured_at: demoResource.featured ? s.at(demoResource.ago) : null,
  featured_by: demoResource.featured ? s.person("ada") : null,
  created_at: s.at(demoResource.ago),
});
