import { many, run, sql } from "#platform/database";
import { readText, type Shown } from "#platform/markup";
import { addressOf } from "#community/common";
import type { Of } from "../archive/records.ts";
import { type Batch, type Entry, write } from "./batch.ts";

type Told = Of<"post"> | Of<"message">;
type Written = { at: string; id: string; record: Told };
type Upload = Shown & { id: string; isPicture: boolean };
/** A text as stored here, with its uploads. */
export type Text = { body: string; html: string; uploads: string[] };

/**
 * Converts the texts of these posts or messages: pictures and mentions point to entities here. A file belongs
 * to the first text that names it, if it is its author's or ownerless and not used elsewhere.
 */
export async function textsOf(batch: Batch, written: Written[]): Promise<(it: Written) => Text> {
  const uploads = await uploadsOf(batch, written);
  return (it) => {
    const { body, files } = it.record;
    if (batch.check) return { body, html: "", uploads: [] };
    const own = files.flatMap((file) => taken(batch, uploads, it, file));
    const places = new Map(own.map(({ file, upload }) => [addressOf.file(file), upload.src]));
    const here = body.replaceAll(ADDRESSES, (address) => places.get(address) ?? address);
    const pictures = new Map(own.flatMap(({ upload }) => (upload.isPicture ? [[upload.src, upload] as const] : [])));
    const html = readText(here, it.id).html({ pictures, links: linksOf(batch, it.record) });
    return { body: here, html, uploads: own.map(({ upload }) => upload.id) };
  };
}

/** Possible file addresses, up to where Markdown ends them. */
const ADDRESSES = /\/files\/[^\s()<>[\]"'#?]+/g;

const authorOf = (batch: Batch, { author }: Told) => batch.names.of("user", author)!;

type Free = Upload & { ownerId: string | null };

/** Named uploads that belong to no entity yet. */
async function uploadsOf(batch: Batch, written: Written[]): Promise<Map<string, Free>> {
  const ids = written.flatMap(({ record }) => record.files.flatMap((file) => batch.names.of("file", file) ?? []));
  if (batch.check || ids.length === 0) return new Map();
  const rows = await many(
    batch.tx,
    sql<Omit<Free, "src">>`
      select id, owner_id as "ownerId", width, height, file_name = '' and mime = 'image/webp' and width is not null and height is not null as "isPicture"
      from uploads where id = any(${ids}::uuid[]) and attached_kind is null`,
  );
  return new Map(rows.map((it) => [it.id, { ...it, src: addressOf.file(it.id) }]));
}

function taken(batch: Batch, uploads: Map<string, Free>, it: Written, file: string): { file: string; upload: Upload }[] {
  const upload = uploads.get(batch.names.of("file", file) ?? "");
  const fits = upload && (upload.ownerId === null || upload.ownerId === authorOf(batch, it.record));
  if (!fits) {
    batch.note(it, `The file ${file} that stands in it has not come before it, or is not its author's: kept without that.`);
    return [];
  }
  uploads.delete(upload.id);
  return [{ file, upload }];
}

function linksOf(batch: Batch, record: Told): Map<string, string> {
  const mentions = record.type === "post" ? record.mentions : [];
  return new Map(
    mentions.flatMap(({ name, user, group }) => {
      const [person, place] = [user && batch.names.of("user", user), group && batch.names.of("group", group)];
      const href = person ? addressOf.person(person) : place ? addressOf.group(place) : null;
      return href ? [[name, href] as const] : [];
    }),
  );
}

/**
 * Attaches uploads to their texts, whose readers can see them from now on. Ownerless ones go to the author if
 * the account exists.
 */
export async function keepUploads(batch: Batch, kind: "post" | "message", texts: { id: string; uploads: string[] }[]): Promise<void> {
  const pairs = texts.flatMap(({ id, uploads }) => uploads.map((upload) => [upload, id] as const));
  if (pairs.length === 0) return;
  await run(
    batch.tx,
    sql`update uploads u set attached_kind = ${kind}, attached_id = t.id, owner_id = coalesce(u.owner_id, (
          select p.id from ${sql.table(`${kind}s`)} x join people p on p.id = x.author_id and p.state <> 'erased' where x.id = t.id))
        from unnest(${pairs.map(([upload]) => upload)}::uuid[], ${pairs.map(([, id]) => id)}::uuid[]) t (upload, id) where u.id = t.upload`,
  );
}

/**
 * Stores mentions so that a later edit does not notify everyone again. No one is notified, and self-mentions
 * are dropped.
 */
export async function placeMentions(batch: Batch, posts: (Entry<"post"> & { id: string })[]): Promise<void> {
  const called = posts.flatMap(({ id, record }) =>
    record.mentions.flatMap(({ user, group }) => {
      const [person, place] = [user && batch.names.of("user", user), group && batch.names.of("group", group)];
      if (person === authorOf(batch, record) || (!person && !place)) return [];
      return [{ post_id: id, person_id: person ?? null, group_id: person ? null : place, created_at: record.createdAt }];
    }),
  );
  await write(batch, "post_mentions", called);
}
