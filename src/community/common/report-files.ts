import { many, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { listMediaReferences } from "#platform/markup";

/** Maximum pictures and files that are stored with one report. */
const MAX_FILES = 50;

/** A picture that is not part of the reported text, such as a photo of a person. */
export type ReportedPicture = { id: string | null; alt: string };
type ReportedText = {
  seq: number;
  html: string;
  resourceFileId: string | null;
};

/**
 * Stores the pictures and files of the reported texts with the report, for the readers of its case: those in the
 * texts, the file of a reported resource, and `pictures`. Only uploads that belong to the content are stored, at
 * most fifty. Files that wait for a virus scan are not, because nobody can open them.
 */
export async function storeReportFiles(
  tx: Tx,
  reportId: string,
  pictures: ReportedPicture[] = [],
): Promise<void> {
  const texts = await many(
    tx,
    sql<ReportedText>`
      select m.seq, m.body_html as html, s.upload_id as "resourceFileId"
      from reported_messages m join reports r on r.id = m.report_id left join resources s on s.id = r.resource_id
      where m.report_id = ${reportId} and m.chosen order by m.seq`,
  );
  const files = texts.flatMap((text) => [
    ...[...pictures, { id: text.resourceFileId, alt: "" }].flatMap(({ id, alt }) =>
      id === null ? [] : [{ seq: text.seq, uploadId: id, alt }],
    ),
    ...listMediaReferences(text.html).flatMap(({ address, alt }) => {
      const uploadId = /^\/files\/([0-9a-f-]{36})$/.exec(address)?.[1] ?? "";
      return isId(uploadId) ? [{ seq: text.seq, uploadId, alt }] : [];
    }),
  ]);
  const unique = [...new Map(files.map((file) => [`${file.seq} ${file.uploadId}`, file])).values()];
  const stored = unique.slice(0, MAX_FILES).map((file, place) => ({ ...file, place, id: tx.newId() }));
  if (stored.length === 0) return;
  // The uploads are locked, so that their bytes are not deleted before this transaction ends. Uploads of a new
  // post may be attached to it only after its automatic report.
  await run(
    tx,
    sql`insert into report_files (id, report_id, seq, place, hash, size, mime, file_name, width, height, alt)
      select f.id, ${reportId}, f.seq, f.place, u.hash, u.size, u.mime, u.file_name, u.width, u.height, f.alt
      from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb)
          as f (id uuid, seq integer, place integer, "uploadId" uuid, alt text)
        join uploads u on u.id = f."uploadId" and u.state = 'ok'
        join reports r on r.id = ${reportId}
        join reported_messages m on m.report_id = r.id and m.seq = f.seq
      where u.attached_id in (r.post_id, r.person_id, r.resource_id, r.group_id)
        or (u.attached_kind = 'message' and u.attached_id = (select x.id from messages x
          where x.conversation_id = r.conversation_id and x.seq = f.seq))
        or (u.attached_kind is null and r.post_id is not null and u.owner_id = m.author_id)
      for key share of u`,
  );
}
