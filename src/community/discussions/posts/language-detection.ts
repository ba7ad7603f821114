import { type Db, many, one, run, sql, type Tx } from "#platform/database";
import { detectLanguage } from "#platform/language";
import { emit } from "#platform/outbox";

/** Languages of the interface: texts on the site are likely to be in one of them. */
const COMMON = ["en", "de", "fr", "es", "ar"];
/** Number of discussions per run of the job. */
const AT_ONCE = 200;

const detect = ({ title, body }: { title: string; body: string }, author: string) =>
  detectLanguage(`${title}\n${body}`, { author, common: COMMON });

/** Detected language of a new discussion; the author's interface language if the text is inconclusive. */
export async function detectTextLanguage(
  db: Db,
  personId: string,
  text: { title: string; body: string },
): Promise<string> {
  const { locale } = await one(db, sql<{ locale: string }>`select locale from people where id = ${personId}`);
  return detect(text, locale);
}

type Unknown = { id: string; groupId: string; title: string; body: string; locale: string; language: string };

/**
 * Detects the language of discussions that have none, from older versions and imports. Each change emits an
 * event, so that the search index is updated. Returns how many were examined.
 */
export async function detectMissingLanguages(tx: Tx): Promise<number> {
  const found = await many(
    tx,
    sql<Unknown>`
      select d.id, d.group_id as "groupId", d.title, coalesce(p.body_md, '') as body, a.locale, d.language
      from (select * from discussions where not language_known order by id limit ${AT_ONCE}
        for update skip locked) d
      join people a on a.id = d.author_id
      left join posts p on p.discussion_id = d.id and p.number = 1 and p.state = 'published'`,
  );
  for (const it of found) {
    const language = await detect(it, it.locale);
    await run(
      tx,
      sql`update discussions set language = ${language}, language_known = true where id = ${it.id}`,
    );
    if (language !== it.language)
      await emit(tx, { type: "discussion.language-detected", discussionId: it.id, groupId: it.groupId });
  }
  return found.length;
}
