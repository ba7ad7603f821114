import { sql } from "#platform/database";

/** A picture or file of a reported text, as it was when it was reported. */
export type EvidenceFile = {
  id: string;
  mime: string;
  fileName: string;
  size: number;
  width: number | null;
  height: number | null;
  alt: string;
};

/** Files of the reported text of the row `message`, in their order. */
export const evidenceFilesColumn = (message: string) => sql`
  (select coalesce(json_agg(json_build_object('id', f.id, 'mime', f.mime, 'fileName', f.file_name,
    'size', f.size, 'width', f.width, 'height', f.height, 'alt', f.alt) order by f.place), '[]')
   from report_files f
   where f.report_id = ${sql.ref(`${message}.report_id`)} and f.seq = ${sql.ref(`${message}.seq`)})`;
