import { type Db, many, sql } from "#platform/database";
import type { RecordKind } from "../archive/records.ts";

/** An entity by its id in the archive. */
export type RecordReference = { kind: RecordKind; id: string };
/**
 * The entity created from a record, the other entity of a relationship, and whether this run created it
 * (`made`).
 */
export type ImportedEntry = { localId: string; otherId?: string | null; part?: string; made: boolean };

/**
 * Whether the entity of the row `i` exists; for a relationship, whether its target exists. A relationship
 * that a member has ended therefore still counts as imported and is not restored.
 */
const stillExists = sql`case
  when i.kind in ('user', 'friendship', 'block', 'mute') then exists (select from people t
    where t.id = i.local_id)
  when i.kind in ('group', 'membership', 'start') then exists (select from groups t where t.id = i.local_id)
  when i.kind = 'file' then exists (select from uploads t where t.id = i.local_id)
  when i.kind in ('resource', 'version', 'follow') then exists (select from resources t
    where t.id = i.local_id)
  when i.kind = 'use' then exists (select from resources t where t.id = i.local_id)
  and exists (select from posts t where t.id = i.other_id)
  when i.kind in ('discussion', 'reading') then exists (select from discussions t where t.id = i.local_id)
  when i.kind in ('post', 'revision', 'vote', 'reaction') then exists (select from posts t
    where t.id = i.local_id)
  when i.kind = 'bookmark' then exists (select from posts t where t.id = i.other_id)
  or exists (select from resources t where t.id = i.other_id)
  when i.kind = 'line' then exists (select from discussion_entries t where t.id = i.local_id)
  when i.kind = 'collection' then exists (select from collections t where t.id = i.local_id)
  when i.kind = 'conversation' then exists (select from conversations t where t.id = i.local_id)
  when i.kind in ('message', 'message-reaction') then exists (select from messages t where t.id = i.local_id)
  when i.kind = 'event-series' then exists (select from event_series t where t.id = i.local_id)
  when i.kind = 'event' then exists (select from calendar_events t where t.id = i.local_id)
  when i.kind = 'attendance' then exists (select from calendar_occurrences t where t.id = i.local_id)
  when i.kind = 'date-poll' then exists (select from date_polls t where t.id = i.local_id)
  when i.kind = 'date-poll-answer' then exists (select from date_poll_times t where t.id = i.local_id)
  else true end`;

const MAX_REMEMBERED = 200_000;
/** Kinds with many records that are rarely referenced later. */
const FORGOTTEN_KINDS: RecordKind[] = [
  "post",
  "message",
  "message-reaction",
  "reaction",
  "reading",
  "revision",
  "version",
  "vote",
  "use",
  "friendship",
  "line",
  "follow",
  "bookmark",
  "attendance",
  "date-poll-answer",
];

/**
 * Maps archive ids to entities in the database. A class, because it remembers ids across batches. A check
 * writes nothing to the database, so only this map records its entities.
 */
export class RecordIds {
  #source: string;
  #keeps: boolean;
  #known = new Map<string, string>();
  #fresh: (ImportedEntry & RecordReference)[] = [];

  constructor({ source, keeps }: { source: string; keeps: boolean }) {
    this.#source = source;
    this.#keeps = keeps;
  }

  of = (kind: RecordKind, id: string): string | undefined => this.#known.get(`${kind} ${id}`);

  /** Loads the entities of unknown ids in one query. A deleted entity counts as not imported. */
  async learn(tx: Db, names: RecordReference[]): Promise<void> {
    const unknown = names.filter(({ kind, id }) => this.of(kind, id) === undefined);
    if (unknown.length === 0) return;
    const found = await many(
      tx,
      sql<{ kind: RecordKind; id: string; localId: string }>`
        select i.kind, i.source_id as id, coalesce(f.discussion_id, i.local_id) as "localId"
        from imported_records i left join former_discussions f on i.kind = 'discussion' and f.id = i.local_id
        where i.source = ${this.#source} and (i.kind, i.source_id) in
          (select *
          from unnest(${unknown.map(({ kind }) => kind)}::text[], ${unknown.map(({ id }) => id)}::text[]))
          and (f.id is not null or ${stillExists})`,
    );
    for (const { kind, id, localId } of found) this.#known.set(`${kind} ${id}`, localId);
  }

  add(kind: RecordKind, id: string, placed: ImportedEntry): void {
    this.#known.set(`${kind} ${id}`, placed.localId);
    this.#fresh.push({ kind, id, ...placed });
  }

  /** Creates the `imported_records` rows of this batch. */
  taken(runId: string) {
    const rows = this.#fresh.map(({ kind, id, localId, otherId = null, part = "", made }) => ({
      source: this.#source,
      kind,
      source_id: id,
      local_id: localId,
      other_id: otherId,
      part,
      made,
      run_id: runId,
    }));
    this.#fresh = [];
    return rows;
  }

  /** Drops the ids of kinds with many records, which are rarely referenced later. */
  forget(): void {
    if (this.#keeps) return;
    if (this.#known.size > MAX_REMEMBERED) this.#known.clear();
    for (const key of this.#known.keys())
      if (FORGOTTEN_KINDS.some((kind) => key.startsWith(`${kind} `))) this.#known.delete(key);
  }
}
