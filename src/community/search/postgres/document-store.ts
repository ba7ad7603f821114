import { many, run, sql, type Tx } from "#platform/database";
import { type IndexDocument, INDICES } from "../search-engine.ts";
import { isUnspaced } from "../text/tokenizer.ts";
import type { Vocabulary } from "../text/vocabulary.ts";

/**
 * Words of each document indexed in a transaction. Collected in a map, so that a document indexed twice
 * counts once. The counts are written once per transaction, so that a word in many documents needs only one
 * update.
 */
const countedWords = new WeakMap<Tx, Map<string, Set<string>>>();

/**
 * Stores documents and collects their words for `writeWordCounts`. Does not replace a document that has a
 * higher version.
 */
export async function storeDocuments(
  tx: Tx,
  documents: readonly IndexDocument[],
  vocabulary: Vocabulary,
): Promise<void> {
  if (documents.length === 0) return;
  const rows = documents.map(({ vocabulary: _, ...row }) => row);
  const stored = await many(
    tx,
    sql<{ id: string; fresh: boolean }>`
      insert into search_documents (id, in_index, kind, group_id, author_id, place_id, audience, written_at,
        number, title, names, tags, body, language, states, has,
        likes, comments, members, created_at, updated_at, starts_at, ends_at, score, words, title_words,
        version)
      select id, index, kind, "groupId", "authorId", "placeId", case when open then 'group' else 'members'
        end, "saidAt", number, title, names, tags, body, language, "is", has,
        likes, comments, members, "createdAt", "updatedAt", "startsAt", "endsAt", score, vector::tsvector,
        "titleVector"::tsvector, version
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as it (id uuid, index text, kind text,
        "groupId" uuid, "authorId" uuid, "placeId" uuid, open boolean, "saidAt" timestamptz,
        number int, title text, names text, tags text[], body text, language text, "is" text[], has text[],
        likes int, comments int, members int,
        "createdAt" timestamptz, "updatedAt" timestamptz, "startsAt" timestamptz, "endsAt" timestamptz, score float8, vector text, "titleVector" text,
        version bigint)
      on conflict (id) do update set in_index = excluded.in_index, kind = excluded.kind,
        group_id = excluded.group_id, author_id = excluded.author_id, place_id = excluded.place_id,
        audience = excluded.audience, written_at = excluded.written_at, number = excluded.number,
        title = excluded.title, names = excluded.names, tags = excluded.tags, body = excluded.body,
        language = excluded.language, states = excluded.states, has = excluded.has, likes = excluded.likes,
        comments = excluded.comments, members = excluded.members,
        created_at = excluded.created_at, updated_at = excluded.updated_at,
        starts_at = excluded.starts_at, ends_at = excluded.ends_at, score = excluded.score,
        words = excluded.words, title_words = excluded.title_words, version = excluded.version
      where search_documents.version <= excluded.version
      returning id, xmax = 0 as fresh`,
  );
  const fresh = new Set(stored.filter((it) => it.fresh).map((it) => it.id));
  const counted = countedWords.get(tx) ?? new Map<string, Set<string>>();
  for (const { id, vocabulary: words } of documents) {
    const ofDocument = counted.get(id) ?? new Set();
    for (const word of words)
      if (isVocabularyWord(word) && (fresh.has(id) || vocabulary.frequency(word, false) === 0))
        ofDocument.add(word);
    counted.set(id, ofDocument);
  }
  countedWords.set(tx, counted);
}

/** Writes the words counted in the transaction. */
export async function writeWordCounts(tx: Tx, vocabulary: Vocabulary): Promise<void> {
  const counted = new Map<string, number>();
  for (const words of countedWords.get(tx)?.values() ?? [])
    for (const word of words) counted.set(word, (counted.get(word) ?? 0) + 1);
  countedWords.delete(tx);
  await addWordCounts(tx, counted);
  tx.afterCommit(() => vocabulary.add(counted));
}

/**
 * Whether a word may be suggested as a correction: it has no characters of unspaced scripts and is not a
 * long number.
 */
const isVocabularyWord = (word: string) =>
  word.length >= 2 && word.length <= 30 && !/\d{5}/.test(word) && !isUnspaced(word);

/** Updates words in alphabetical order, so that concurrent writers cannot deadlock. */
async function addWordCounts(tx: Tx, counted: ReadonlyMap<string, number>): Promise<void> {
  const words = [...counted.keys()].sort();
  if (words.length === 0) return;
  await run(
    tx,
    sql`insert into search_words (word, documents) select *
      from unnest(${words}::text[], ${words.map((word) => counted.get(word)!)}::int[])
        on conflict (word) do update set documents = search_words.documents + excluded.documents`,
  );
}

type ReducedCount = { word: string; left: number; lost: number };

/**
 * Removes documents and decreases their word counts. Counts may become too low, because vectors also contain
 * stems. A word is therefore removed from the vocabulary only if no document contains it.
 */
export async function removeDocuments(tx: Tx, ids: readonly string[], vocabulary: Vocabulary): Promise<void> {
  if (ids.length === 0) return;
  const lost = await many(
    tx,
    sql<ReducedCount>`
      with gone as (delete from search_documents where id = any(${ids}::uuid[]) returning words),
        counted as (select word, count(*)::int as lost from gone cross
          join unnest(tsvector_to_array(gone.words)) word group by word),
        locked as (select w.word, w.documents, c.lost from search_words w join counted c using (word)
          order by w.word for update of w),
        changed as (update search_words w set documents = greatest(l.documents - l.lost, 1) from locked l
          where w.word = l.word)
      select word, documents - lost as left, lost from locked`,
  );
  const words = lost.filter(({ left }) => left <= 0).map(({ word }) => word);
  const gone = words.length === 0 ? [] : await many(tx, deleteUnusedWords(words));
  const [counts, unused] = [
    new Map(lost.map((it) => [it.word, it.lost])),
    new Set(gone.map(({ word }) => word)),
  ];
  tx.afterCommit(() => vocabulary.subtract(counts, unused));
}

/** Deletes words that no document contains. Each search index is queried separately. */
const deleteUnusedWords = (words: string[]) => sql<{ word: string }>`
  delete from search_words w where word = any(${words}::text[]) and ${sql.join(
    INDICES.map(
      (it) =>
        sql`not exists (select from search_documents d
          where d.in_index = ${sql.lit(it)} and d.words @@ ${WORD_QUERY})`,
    ),
    sql` and `,
  )}
  returning word`;

/** SQL: a tsquery for one lexeme, which may contain any characters. */
const WORD_QUERY = sql.raw(
  String.raw`('''' || replace(replace(w.word, '\', '\\'), '''', '''''') || '''')::tsquery`,
);
