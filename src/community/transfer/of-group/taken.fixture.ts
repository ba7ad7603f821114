import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { many, sql } from "#platform/database";
import type { Storage } from "#platform/storage";
import { discussionFor, postsOf, type PostView } from "#community/discussions";
import { askForGroupExport, groupFor, membersOf, startOf } from "#community/groups";
import { collectionsFor, commentsOn, fileFor, resourceFor, resourcesFor, versionsOf } from "#community/resources";
import type { SignedIn } from "#community/rules";
import { database, db, folder, within } from "../leaving/elsewhere.fixture.ts";
import { makeGroupExport } from "../index.ts";

/** Path of a zip with the group as its owner exports it. */
export async function takenAlong(storage: Storage, owner: SignedIn, groupId: string): Promise<string> {
  const { id } = await within((tx) => askForGroupExport(tx, owner, { groupId }));
  const made = await makeGroupExport({ database, storage }, id);
  const path = join(await folder(), `${groupId}.zip`);
  await writeFile(path, await buffer(await storage.open(made!.hash)));
  return path;
}

/**
 * Everything the viewer reads of a group on its pages. Posts hidden by a block are empty places, and blocked
 * people's reactions are missing.
 */
export async function readBy(viewer: SignedIn, groupId: string) {
  const group = await groupFor(db, viewer, groupId);
  const { name, slug, purpose, aboutMd, rules, visibility, joinPolicy, state, photoAlt, headerStyle } = group;
  const discussions = await many(
    db,
    sql<{ id: string }>`select id from discussions where group_id = ${groupId} and state <> 'deleted' order by id`,
  );
  return {
    group: { name, slug, purpose, aboutMd, rules, visibility, joinPolicy, state, photoAlt, headerStyle, hasPhoto: group.photoId !== null },
    members: (await membersOf(db, viewer, group, {})).rows.map((it) => [it.username, it.name, it.role]).sort(),
    start: await startOf(db, viewer, group).then((all) => all.map(({ id: _, ...line }) => line)),
    discussions: await Promise.all(discussions.map(({ id }) => discussionRead(viewer, id))),
    resources: await libraryRead(viewer, groupId),
    shelves: await collectionsFor(db, viewer, { group: groupId }),
  };
}

const called = (author: { username: string; name: string } | null) => author && [author.username, author.name];
const EMPTY = ["blocked", "blocked-by-viewer"];

async function discussionRead(viewer: SignedIn, id: string) {
  const discussion = await discussionFor(db, viewer, id);
  const { posts, lines } = await postsOf(db, viewer, discussion, { page: 1, upTo: 5 });
  const { title, tags, state, locked, lastNumber, answer, slowSeconds, timer } = discussion;
  return {
    said: { title, tags, state, locked, lastNumber, answer, slowSeconds, timer, author: called(discussion.author) },
    posts: posts.map(postRead),
    lines: lines.map(({ kind, at, by, reason, otherDiscussion, details }) => [kind, at, called(by), reason, otherDiscussion, details]),
  };
}

const postRead = ({ id, number, author, html, createdAt, editedAt, replyTo, movedTo, stub, hidden, why, reactions, poll }: PostView) => ({
  said: [id, number, called(author), html, createdAt, editedAt, replyTo?.number, movedTo, why],
  stub: stub && EMPTY.includes(stub) ? "removed" : stub,
  isHidden: hidden !== undefined,
  reactions: reactions.flatMap(({ emoji, names }) => (names.length > 0 ? [[emoji, names]] : [])),
  asks: poll?.options.map(({ text }) => text),
});

async function libraryRead(viewer: SignedIn, groupId: string) {
  const { rows } = await resourcesFor(db, viewer, { group: groupId });
  return Promise.all(
    rows.map(async ({ id }) => {
      const it = await resourceFor(db, viewer, id);
      const { rows: versions } = await versionsOf(db, viewer, it, {});
      const { comments } = await commentsOn(db, viewer, it);
      return {
        said: [id, it.kind, it.title, it.why, it.url, it.bodyMd, it.tags, it.version, it.editsBy, called(it.keeper)],
        bytes: it.file && (await fileFor(db, viewer, it.file.id)).hash,
        versions: versions.map(({ version, by, note, at }) => [version, called(by), note, at]),
        comments: comments.map(postRead),
      };
    }),
  );
}
