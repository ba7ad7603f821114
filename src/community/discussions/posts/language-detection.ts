import { type Db, many, one, run, sql, type Tx } from "#platform/database";
import { detectLanguage } from "#platform/language";
import { emit } from "#platform/outbox";

/** Languages of the interface: what is written here is likely to be in one of them. */
const COMMON = ["en", "de", "fr", "es", "ar"];
/** Discussions whose language is found in one round of the housekeeping. */
const AT_ONCE = 200;

const detect = ({ title, body }: { title: string; body: string }, author: string) =>
  detectLanguage(`${title}\n${body}`, { author, common: COMMON });

/** Detected language of a new discussion; if the text is inconclusive, its author's interface language. */
export async function languageOfText(
  db: Db,
  personId: string,
  text: { title: string; body: string },
): Promise<string> {
  const { locale } = await one(db, sql<{ locale: string }>`select locale from people where id = ${personId}`);
  return detect(text, locale);
}

type Unknown = { id: string; groupId: string; title: string; body: string; locale: string; language: string };

/**
 * Finds the language of discussions that came without one: those of older versions and of imports. What changes is
 * announced, so that search files it anew. Returns how many it looked at.
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
