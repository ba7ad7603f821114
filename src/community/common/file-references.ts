import { sql } from "#platform/database";

/** Whether the bytes with the hash of the row `it` are in use by an upload, a report or a valid export. */
export const areBytesInUse = (it: string, now: Date) => {
  const hash = sql.ref(`${it}.hash`);
  return sql<boolean>`(exists (select from uploads u where u.hash = ${hash})
    or exists (select from report_files f where f.hash = ${hash})
    or exists (select from personal_exports e where e.hash = ${hash} and e.expires_at > ${now})
    or exists (select from group_exports e
      where e.hash = ${hash} and e.expires_at > ${now} and e.group_id is not null))`;
};
