import { setImmediate as breath } from "node:timers/promises";
import { many, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import type { Row } from "../bulk-insert.ts";
import { type Batch, type Entry, assignIds, mergeCheckedContainers, writeRows } from "./import-batch.ts";
import { storeOldPaths } from "./old-paths.ts";
import { refreshPostCounts } from "./import-discussions.ts";
import { linkMovedPosts, markAcceptedAnswers } from "./moved-and-accepted-posts.ts";
import { attachUploads, importMentions, type ImportedText, convertTexts } from "./imported-texts.ts";
import { importPolls } from "./import-votes.ts";

const POSTS_PER_PAUSE = 50;

type Post = Entry<"post"> & { id: string; place: string };

/**
 * Imports posts in archive order: each gets the next number of its discussion or resource, without gaps. A
 * reply refers to an earlier post of the same container or to none, so there are no cycles.
 */
export async function importPosts(batch: Batch, entries: Entry<"post">[]): Promise<void> {
  const fresh = (await assignIds(batch, "posts", entries, (it) => it)).map((it) => ({
    ...it,
    place: findPostContainer(batch, it),
  }));
  const next = await lockNextNumbers(batch, [...new Set(fresh.map(({ place }) => place))]);
  const answered = await findRepliedPlaces(batch, fresh);
  if (batch.check) for (const { id, place } of fresh) batch.checked.places.set(id, place);
  const textOf = await convertTexts(batch, fresh);
  const texts: (ImportedText & { id: string })[] = [];
  const rows: Row[] = [];
  for (const it of fresh) {
    // Rendering Markdown uses the CPU: a pause lets other requests proceed.
    if (rows.length % POSTS_PER_PAUSE === 0) await breath();
    const number = next.get(it.place) ?? 1;
    next.set(it.place, number + 1);
    const text = textOf(it);
    texts.push({ id: it.id, ...text });
    batch.newPosts.add(it.id);
    rows.push(createPostRow(batch, it, { number, text, answered }));
    answered.set(it.id, it.place);
  }
  await writeRows(batch, "posts", rows);
  await attachUploads(batch, "post", texts);
  await importMentions(batch, fresh);
  await writeRows(
    batch,
    "former_posts",
    fresh.flatMap(({ id, record }) =>
      record.stood.flatMap(({ discussion, number }) =>
        isId(discussion) ? [{ discussion_id: discussion, number, post_id: id }] : [],
      ),
    ),
  );
  await importPolls(batch, fresh);
  await linkMovedPosts(batch, fresh);
  await markAcceptedAnswers(batch, fresh);
  await storeOldPaths(batch, "post", fresh);
  await refreshPostCounts(batch, [
    ...new Set(fresh.flatMap((it) => (it.record.discussion ? [it.place] : []))),
  ]);
  await refreshCommentCounts(batch, [
    ...new Set(fresh.flatMap((it) => (it.record.discussion ? [] : [it.place]))),
  ]);
}

const findPostContainer = (batch: Batch, { record }: Entry<"post">) =>
  record.discussion
    ? batch.names.of("discussion", record.discussion)!
    : batch.names.of("resource", record.resource!)!;

/**
 * Locks the discussion rows, so that concurrent replies wait for their number. Returns the next number of
 * each.
 */
async function lockNextNumbers(batch: Batch, places: string[]): Promise<Map<string, number>> {
  if (batch.check || places.length === 0) return new Map();
  const rows = await many(
    batch.tx,
    sql<{
      id: string;
      next: number;
    }>`select id, last_number + 1 as next from discussions where id = any(${places}::uuid[])
      order by id for no key update`,
  );
  await run(
    batch.tx,
    sql`select from resources where id = any(${places}::uuid[]) order by id for no key update`,
  );
  const comments = await many(
    batch.tx,
    sql<{
      id: string;
      next: number;
    }>`select resource_id as id, max(number) + 1 as next from posts where resource_id = any(${places}::uuid[])
      group by resource_id`,
  );
  return new Map([...rows, ...comments].map(({ id, next }) => [id, next]));
}

/** Finds the containers of the posts to which new posts reply. */
async function findRepliedPlaces(batch: Batch, fresh: Post[]): Promise<Map<string, string>> {
  const ids = fresh.flatMap(({ record }) => (record.replyTo && batch.names.of("post", record.replyTo)) || []);
  if (ids.length === 0) return new Map();
  const rows = await many(
    batch.tx,
    sql<{
      id: string;
      place: string;
    }>`select id, coalesce(discussion_id, resource_id) as place from posts where id = any(${ids}::uuid[])`,
  );
  return mergeCheckedContainers(batch, ids, rows);
}

type PostPlacement = { number: number; text: ImportedText; answered: Map<string, string> };

function createPostRow(
  batch: Batch,
  { at, id, place, record: it }: Post,
  { number, text, answered }: PostPlacement,
): Row {
  const parent = it.replyTo ? batch.names.of("post", it.replyTo) : undefined;
  const fits = parent !== undefined && parent !== id && answered.get(parent) === place;
  if (it.replyTo && !fits)
    batch.note(
      { at, record: it },
      `It replies to ${it.replyTo}, which is not an earlier post in the same place: imported without that link.`,
    );
  return {
    id,
    discussion_id: it.discussion ? place : null,
    resource_id: it.discussion ? null : place,
    number,
    author_id: batch.names.of("user", it.author)!,
    reply_to: fits ? parent : null,
    body_md: text.body,
    body_html: text.html,
    state: it.state,
    removed_at: it.takenAt ?? null,
    removed_by: (it.takenBy && batch.names.of("user", it.takenBy)) ?? null,
    removed_reason: it.takenReason,
    hidden_at: it.state === "hidden" ? (it.hiddenAt ?? null) : null,
    hidden_count: it.hiddenTimes,
    unhidden_at: it.shownAt ?? null,
    created_at: it.createdAt,
    edited_at: it.editedAt ?? null,
    version: it.version,
  };
}

export async function refreshCommentCounts(
  batch: Pick<Batch, "tx" | "check">,
  resources: string[],
): Promise<void> {
  if (batch.check || resources.length === 0) return;
  await run(
    batch.tx,
    sql`update resources r set comments_count = (select count(*) from posts p
      where p.resource_id = r.id and p.state in ('published', 'hidden')),
          last_comment_at = (select max(created_at) from posts p where p.resource_id = r.id)
        where r.id = any(${resources}::uuid[])`,
  );
}
