import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { WHITESPACE, encodeCursor, andIfGiven, type Page, toPage, readCursor } from "#community/common";
import { requireSignedIn } from "#community/friends";
import {
  isContentReadable,
  isDiscussionReadable,
  isGroupReadable,
  viewerMembership,
} from "#community/groups";
import { LIMITS, type SignedIn, type Viewer, SERVER_LIMITS } from "#community/rules";
import { MAX_DRAFT_TEXT, type DraftInput, type DraftFields } from "../discussion-inputs.ts";

export type Draft = {
  place: string;
  version: number;
  title: string;
  body: string;
  /** Other fields of the form: tags, audience, poll. */
  more: DraftFields;
  savedAt: Date;
};

const columns = sql`place, version, data->>'title' as title, data->>'body' as body,
  coalesce(data->'more', '{}') as more,
  saved_at as "savedAt"`;

/** Versions come from a sequence, so that a sent draft and the next one never have the same version. */
const nextVersion = sql`nextval('draft_versions')::int`;

/** The current target of a draft: a tab may still be open in a discussion that was merged into another. */
export const resolveDraftTarget = (target: string) => {
  const id = /^discussion:(.*)$/s.exec(target)?.[1];
  return id !== undefined && isId(id)
    ? sql`coalesce((select 'discussion:' || discussion_id from former_discussions where id = ${id}),
      ${target})`
    : sql`${target}`;
};

/**
 * Saves a draft. `version` is the version that this client saw last (0 for none). If another device has
 * saved a newer version, nothing is overwritten: `kept` is false and `draft` is the other text. An empty
 * text deletes the draft.
 * @throws `too-many` above two hundred
 */
export async function saveDraft(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof DraftInput>,
): Promise<{ kept: boolean; draft: Draft }> {
  const me = requireSignedIn(viewer);
  if (input.title.trim() === "" && input.body.trim() === "") return deleteEmptyDraft(tx, me, input);
  // The lock serializes a person's saves, so that two concurrent new drafts are both counted.
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('drafts:' || ${me.id}::text, 0))`);
  const at = resolveDraftTarget(input.place);
  const data = JSON.stringify({ title: input.title, body: input.body, more: input.more ?? {} });
  const saved = await maybeOne(
    tx,
    sql<Draft>`
      insert into drafts (person_id, place, version, data, saved_at) select ${me.id}, ${at}, ${nextVersion},
        ${data}::jsonb, ${tx.now}
      where (select count(*) from drafts where person_id = ${me.id} and place <> ${at}) < ${SERVER_LIMITS.drafts}
      on conflict (person_id, place) do update set version = excluded.version, data = excluded.data,
        saved_at = excluded.saved_at
      where drafts.version = ${input.version}
      returning ${columns}`,
  );
  if (saved) return { kept: true, draft: saved };
  const other = await getDraft(tx, me, input.place);
  if (other) return { kept: false, draft: other };
  throw new Refusal("too-many", "You have reached the limit of 200 drafts. Send or delete some.");
}

/**
 * Saves a draft even if another device has saved a newer version: appends the text, unless that draft
 * already has it.
 * @throws like `saveDraft`
 */
export async function saveConflictingDraft(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof DraftInput>,
): Promise<void> {
  const { kept, draft } = await saveDraft(tx, viewer, input);
  if (kept || draft.body.includes(input.body.trim())) return;
  await appendToDraft(tx, requireSignedIn(viewer).id, draft.place, {
    title: input.title,
    body: input.body,
    more: input.more ?? {},
  });
}

async function deleteEmptyDraft(tx: Tx, me: SignedIn, { place, version }: z.output<typeof DraftInput>) {
  await run(
    tx,
    sql`delete from drafts where person_id = ${me.id} and place = ${resolveDraftTarget(place)}
      and version = ${version}`,
  );
  const other = await getDraft(tx, me, place);
  return other
    ? { kept: false, draft: other }
    : { kept: true, draft: { place, version: 0, title: "", body: "", more: {}, savedAt: tx.now } };
}

/** The viewer's draft for this target from any device; null without one and for guests. */
export const getDraft = async (db: Db, viewer: Viewer, target: string): Promise<Draft | null> =>
  (await maybeOne(
    db,
    sql<Draft>`select ${columns} from drafts
      where person_id = ${viewer.id}::uuid and place = ${resolveDraftTarget(target.replaceAll("\0", ""))}`,
  )) ?? null;

/** A draft in the list, with its discussion, group or resource if the viewer may read it now. */
export type DraftRow = Omit<Draft, "more"> & {
  /**
   * The full text if the list shows only part of it; null otherwise, and when the page's limit on full texts
   * is used up.
   */
  whole: string | null;
  discussion: { id: string; title: string } | null;
  group: { slug: string; name: string } | null;
  resource: { id: string; title: string } | null;
};
const PAGE_SIZE = 50;
/**
 * Characters of a draft in the list: `most` are loaded, of which `seen` are visible even on a narrow screen.
 */
const EXCERPT_LENGTH = { most: 400, seen: 100 };
/** Maximum characters of full texts on one page. The text that exceeds it is still included. */
const MAX_PAGE_TEXT = 400_000;

/** The viewer's unsent drafts, newest first, 50 a page, without empty ones. Empty for guests. */
export async function listDrafts(
  db: Db,
  viewer: Viewer,
  query: { after?: string | undefined } = {},
): Promise<Page<DraftRow>> {
  const cursor = readCursor(query.after, ["time", "text"]);
  const rows = await many(
    db,
    sql<DraftRow>`
      ${draftRows(viewer, sql`drafts`)}
        ${andIfGiven(
          cursor,
          ([at, place]) => sql`(dr.saved_at < ${at}
          or (dr.saved_at = ${at} and dr.place > ${place}))`,
        )}
      order by dr.saved_at desc, dr.place ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.savedAt, last.place));
}

/** List rows of the viewer's drafts in `table`, which has the columns of `drafts`. */
export const draftRows = (viewer: Viewer, table: ReturnType<typeof sql>) => sql`
      select place, version, data->>'title' as title, left(data->>'body', ${EXCERPT_LENGTH.most}) as body,
        saved_at as "savedAt",
        case when length(data->>'body') > ${EXCERPT_LENGTH.seen}
          and ${textBefore} < ${MAX_PAGE_TEXT} then data->>'body' end as whole,
        (select json_build_object('id', d.id, 'title', d.title) from discussions d
        join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
         where dr.place like 'discussion:%'
           and d.id = coalesce((select f.discussion_id from former_discussions f
             where f.id = ${targetId}), ${targetId}) and d.state <> 'deleted'
               and ${isDiscussionReadable("d", "g", "m")}) as discussion,
        (select json_build_object('slug', g.slug, 'name', g.name)
        from groups g ${viewerMembership(viewer, "g", "m")}
         where dr.place = 'group:' || g.id::text and g.id = ${targetId}
           and ${isGroupReadable("g", "m")}) as "group",
        (select json_build_object('id', r.id, 'title', r.title) from resources r left
        join groups g on g.id = r.group_id ${viewerMembership(viewer, "g", "m")}
         where dr.place in ('resource:' || r.id::text, 'document:' || r.id::text) and r.id = ${targetId}
           and r.state = 'published'
           and (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})) as resource
      from ${table} dr
      where dr.person_id = ${viewer.id}::uuid
        and coalesce(nullif(data->>'body', ''), data->>'title', '') <> ''`;

/** Total length of the texts above this one in the list. */
const textBefore = sql`coalesce(sum(length(data->>'body')) over (order by dr.saved_at desc,
  dr.place rows between unbounded preceding and 1 preceding), 0)`;

/** The id after the colon of a draft target; null if the target has no id. */
const targetId = sql`substring(dr.place from ':([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid`;

/**
 * Moves reply drafts from a merged discussion to the target discussion, appended to a draft there. Both
 * drafts stay where they are if they exceed the size limit together.
 */
export async function mergeDrafts(tx: Tx, from: string, into: string): Promise<void> {
  const [old, now] = [sql`${`discussion:${from}`}`, sql`${`discussion:${into}`}`];
  await run(
    tx,
    sql`with joined as (
          update drafts o set version = ${nextVersion}, saved_at = greatest(o.saved_at, d.saved_at),
            data = coalesce(d.data, '{}') || o.data || jsonb_build_object('body', ${mergedTexts})
          from drafts d where d.person_id = o.person_id and d.place = ${old} and o.place = ${now}
            and length(${mergedTexts}) <= ${MAX_DRAFT_TEXT}
          returning o.person_id)
        delete from drafts d using joined j where d.person_id = j.person_id and d.place = ${old}`,
  );
  await run(
    tx,
    sql`update drafts d set place = ${now}
      where place = ${old} and not exists (select from drafts o
        where o.person_id = d.person_id and o.place = ${now})`,
  );
}

/**
 * Joins the texts of two drafts, with the text of `o` first. If one text is empty or both are the same, the
 * result is a single text.
 */
const mergeTexts = (o: string, d: string) => {
  const [first, then] = [sql`${sql.ref(o)}.data->>'body'`, sql`${sql.ref(d)}.data->>'body'`];
  return sql`
    case when btrim(coalesce(${then}, ''), ${WHITESPACE}) in ('',
      btrim(${first}, ${WHITESPACE})) then ${first}
      when btrim(coalesce(${first}, ''), ${WHITESPACE}) = '' then ${then}
      else (${first}) || E'\n\n' || (${then}) end`;
};
const mergedTexts = mergeTexts("o", "d");

/**
 * Returns a submitted text to the author's draft, appended to the text there. Changes nothing and returns
 * false if the two exceed the size limit together.
 */
export async function appendToDraft(
  tx: Tx,
  personId: string,
  place: string,
  it: { title: string; body: string; more: DraftFields },
): Promise<boolean> {
  const data = JSON.stringify(it);
  const added = await run(
    tx,
    sql`insert into drafts as o (person_id, place, version, data, saved_at)
      values (${personId}, ${place}, ${nextVersion}, ${data}::jsonb, ${tx.now})
        on conflict (person_id, place) do update set version = excluded.version, saved_at = excluded.saved_at,
          data = o.data || jsonb_build_object('title',
            coalesce(nullif(o.data->>'title', ''), ${it.title}::text), 'more',
            excluded.data->'more' || coalesce(o.data->'more', '{}'),
            'body', ${mergeTexts("o", "excluded")})
        where length(${mergeTexts("o", "excluded")}) <= ${MAX_DRAFT_TEXT}`,
  );
  return added > 0;
}

/** Maximum number of rows per transaction, so that each transaction is short. */
const BATCH_SIZE = 1_000;

/** For jobs: deletes drafts unchanged for the retention period (product rules, 4.8). Returns how many. */
export const purgeDrafts = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from drafts where (person_id, place) in (
      select person_id, place from drafts where saved_at < ${addMilliseconds(tx.now, -LIMITS.draftDays * DAY)}
      order by saved_at ${limit(BATCH_SIZE)} for update skip locked)`,
  );
