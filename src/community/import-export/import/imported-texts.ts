import { many, run, sql } from "#platform/database";
import { parseText, type KnownPicture } from "#platform/markup";
import { paths } from "#community/common";
import type { RecordOf } from "../archive/records.ts";
import { type Batch, type Entry, writeRows } from "./import-batch.ts";

type TextRecord = RecordOf<"post"> | RecordOf<"message">;
type TextEntry = { at: string; id: string; record: TextRecord };
type TextUpload = KnownPicture & { id: string; isPicture: boolean };
/** A text as stored here, with its uploads. */
export type ImportedText = { body: string; html: string; uploads: string[] };

/**
 * Converts the texts of these posts or messages: pictures and mentions point to entities here. A file
 * belongs to the first text that references it, provided that the file has the same author or no owner, and
 * is not used elsewhere.
 */
export async function convertTexts(
  batch: Batch,
  written: TextEntry[],
): Promise<(it: TextEntry) => ImportedText> {
  const uploads = await findFreeUploads(batch, written);
  return (textEntry) => {
    const { body, files } = textEntry.record;
    if (batch.check) return { body, html: "", uploads: [] };
    const own = files.flatMap((file) => claimUpload(batch, uploads, textEntry, file));
    const places = new Map(own.map(({ file, upload }) => [paths.file(file), upload.src]));
    const here = body.replaceAll(FILE_ADDRESSES, (address) => places.get(address) ?? address);
    const pictures = new Map(
      own.flatMap(({ upload }) => (upload.isPicture ? [[upload.src, upload] as const] : [])),
    );
    const html = parseText(here, textEntry.id).html({
      pictures,
      links: findMentionLinks(batch, textEntry.record),
    });
    return { body: here, html, uploads: own.map(({ upload }) => upload.id) };
  };
}

/** Possible file addresses, up to where Markdown ends them. */
const FILE_ADDRESSES = /\/files\/[^\s()<>[\]"'#?]+/g;

const findAuthor = (batch: Batch, { author }: TextRecord) => batch.names.of("user", author)!;

type FreeUpload = TextUpload & { ownerId: string | null };

/** Uploads that the texts reference and that belong to no entity yet. */
async function findFreeUploads(batch: Batch, written: TextEntry[]): Promise<Map<string, FreeUpload>> {
  const ids = written.flatMap(({ record }) =>
    record.files.flatMap((file) => batch.names.of("file", file) ?? []),
  );
  if (batch.check || ids.length === 0) return new Map();
  const rows = await many(
    batch.tx,
    sql<Omit<FreeUpload, "src">>`
      select id, owner_id as "ownerId", width, height, file_name = '' and mime = 'image/webp'
        and width is not null and height is not null as "isPicture"
      from uploads where id = any(${ids}::uuid[]) and attached_kind is null`,
  );
  return new Map(rows.map((it) => [it.id, { ...it, src: paths.file(it.id) }]));
}

function claimUpload(
  batch: Batch,
  uploads: Map<string, FreeUpload>,
  textEntry: TextEntry,
  file: string,
): { file: string; upload: TextUpload }[] {
  const upload = uploads.get(batch.names.of("file", file) ?? "");
  const fits = upload && (upload.ownerId === null || upload.ownerId === findAuthor(batch, textEntry.record));
  if (!fits) {
    batch.note(
      textEntry,
      `Its file ${file} does not precede it, or belongs to another author: imported without it.`,
    );
    return [];
  }
  uploads.delete(upload.id);
  return [{ file, upload }];
}

function findMentionLinks(batch: Batch, record: TextRecord): Map<string, string> {
  const mentions = record.type === "post" ? record.mentions : [];
  return new Map(
    mentions.flatMap(({ name, user, group }) => {
      const [person, place] = [user && batch.names.of("user", user), group && batch.names.of("group", group)];
      const href = person ? paths.person(person) : place ? paths.group(place) : null;
      return href ? [[name, href] as const] : [];
    }),
  );
}

/**
 * Attaches uploads to their texts, whose readers can see them from now on. Uploads without an owner get the
 * author as owner, if that account exists.
 */
export async function attachUploads(
  batch: Batch,
  kind: "post" | "message",
  texts: { id: string; uploads: string[] }[],
): Promise<void> {
  const pairs = texts.flatMap(({ id, uploads }) => uploads.map((upload) => [upload, id] as const));
  if (pairs.length === 0) return;
  await run(
    batch.tx,
    sql`update uploads u set attached_kind = ${kind}, attached_id = t.id, owner_id = coalesce(u.owner_id, (
          select p.id from ${sql.table(`${kind}s`)} x
          join people p on p.id = x.author_id and p.state <> 'erased' where x.id = t.id))
        from unnest(${pairs.map(([upload]) => upload)}::uuid[],
          ${pairs.map(([, id]) => id)}::uuid[]) t (upload, id) where u.id = t.upload`,
  );
}

/**
 * Stores mentions so that a later edit does not notify everyone again. No one is notified, and self-mentions
 * are dropped.
 */
export async function importMentions(batch: Batch, posts: (Entry<"post"> & { id: string })[]): Promise<void> {
  const called = posts.flatMap(({ id, record }) =>
    record.mentions.flatMap(({ user, group }) => {
      const [person, place] = [user && batch.names.of("user", user), group && batch.names.of("group", group)];
      if (person === findAuthor(batch, record) || (!person && !place)) return [];
      return [
        {
          post_id: id,
          person_id: person ?? null,
          group_id: person ? null : place,
          created_at: record.createdAt,
        },
      ];
    }),
  );
  await writeRows(batch, "post_mentions", called);
}
