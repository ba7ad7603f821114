import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { many, sql } from "#platform/database";
import type { Storage } from "#platform/storage";
import { getDiscussion, getPostsPage, type PostView } from "#community/discussions";
import { requestGroupExport, getGroup, listMembers, listStartItems } from "#community/groups";
import {
  listCollections,
  listComments,
  getFile,
  getResource,
  listResources,
  listVersions,
} from "#community/resources";
import type { SignedIn } from "#community/rules";
import { database, db, folder, within } from "./second-community.ts";
import { makeGroupExport } from "../../../src/community/import-export/index.ts";

/** Exports the group as its owner and returns the path of the zip. */
export async function exportTestGroup(storage: Storage, owner: SignedIn, groupId: string): Promise<string> {
  const { id } = await within((tx) => requestGroupExport(tx, owner, { groupId }));
  const groupExport = await makeGroupExport({ database, storage }, id);
  const path = join(await folder(), `${groupId}.zip`);
  await writeFile(path, await buffer(await storage.open(groupExport!.hash)));
  return path;
}

/**
 * Returns everything the viewer can read on the pages of a group. Posts hidden by a block are returned as
 * empty items, and reactions by blocked people are missing.
 */
export async function readGroupPages(viewer: SignedIn, groupId: string) {
  const group = await getGroup(db, viewer, groupId);
  const { name, slug, purpose, aboutMd, rules, visibility, joinPolicy, state, photoAlt, headerStyle } = group;
  const discussions = await many(
    db,
    sql<{
      id: string;
    }>`select id from discussions where group_id = ${groupId} and state <> 'deleted' order by id`,
  );
  return {
    group: {
      name,
      slug,
      purpose,
      aboutMd,
      rules,
      visibility,
      joinPolicy,
      state,
      photoAlt,
      headerStyle,
      hasPhoto: group.photoId !== null,
    },
    members: (await listMembers(db, viewer, group, {})).rows
      .map((it) => [it.username, it.name, it.role])
      .sort(),
    start: await listStartItems(db, viewer, group).then((all) => all.map(({ id: _, ...line }) => line)),
    discussions: await Promise.all(discussions.map(({ id }) => readDiscussionPage(viewer, id))),
    resources: await readLibraryPage(viewer, groupId),
    collections: await listCollections(db, viewer, { group: groupId }),
  };
}

const authorNames = (author: { username: string; name: string } | null) =>
  author && [author.username, author.name];
const HIDDEN_BY_BLOCK = ["blocked", "blocked-by-viewer"];

async function readDiscussionPage(viewer: SignedIn, id: string) {
  const discussion = await getDiscussion(db, viewer, id);
  const { posts, entries } = await getPostsPage(db, viewer, discussion, { page: 1, upTo: 5 });
  const { title, tags, state, locked, lastNumber, answer, slowSeconds, timer } = discussion;
  return {
    facts: {
      title,
      tags,
      state,
      locked,
      lastNumber,
      answer,
      slowSeconds,
      timer,
      author: authorNames(discussion.author),
    },
    posts: posts.map(readPost),
    lines: entries.map(({ kind, at, by, reason, otherDiscussion, details }) => [
      kind,
      at,
      authorNames(by),
      reason,
      otherDiscussion,
      details,
    ]),
  };
}

const readPost = ({
  id,
  number,
  author,
  html,
  createdAt,
  editedAt,
  replyTo,
  movedTo,
  stub,
  hidden,
  why,
  reactions,
  poll,
}: PostView) => ({
  facts: [id, number, authorNames(author), html, createdAt, editedAt, replyTo?.number, movedTo, why],
  stub: stub && HIDDEN_BY_BLOCK.includes(stub) ? "removed" : stub,
  isHidden: hidden !== undefined,
  reactions: reactions.flatMap(({ emoji, names }) => (names.length > 0 ? [[emoji, names]] : [])),
  asks: poll?.options.map(({ text }) => text),
});

async function readLibraryPage(viewer: SignedIn, groupId: string) {
  const { rows } = await listResources(db, viewer, { group: groupId });
  return Promise.all(
    rows.map(async ({ id }) => {
      const it = await getResource(db, viewer, id);
      const { rows: versions } = await listVersions(db, viewer, it, {});
      const { comments } = await listComments(db, viewer, it);
      return {
        said: [
          id,
          it.kind,
          it.title,
          it.why,
          it.url,
          it.bodyMd,
          it.tags,
          it.version,
          it.editsBy,
          authorNames(it.owner),
        ],
        bytes: it.file && (await getFile(db, viewer, it.file.id)).hash,
        versions: versions.map(({ version, by, note, at }) => [version, authorNames(by), note, at]),
        comments: comments.map(readPost),
      };
    }),
  );
}
