import { run, sql, type Tx } from "#platform/database";
import {
  addComment,
  addDocument,
  addFile,
  addLink,
  NewLink,
  recordUpload,
  removeResource,
} from "#community/resources";
import type { TestUsers } from "../test-users.ts";
import { DELETED_WORD, INSIDE_WORD } from "./marker-words.ts";

/** Adds resources and a collection of the group, and a resource for everyone that the post uses. */
export async function addMarkedLibrary(
  tx: Tx,
  { mira, tomas }: Pick<TestUsers, "mira" | "tomas">,
  group: { id: string },
  discussion: { postId: string },
) {
  const upload = await recordUpload(tx, mira, {
    hash: "b".repeat(64),
    size: 1,
    mime: "text/plain",
    fileName: `${INSIDE_WORD}.txt`,
  });
  await run(
    tx,
    sql`insert into file_texts (hash, state, text, thumbnail, read_at)
      values (${"b".repeat(64)}, 'read', ${INSIDE_WORD}, ${"d".repeat(64)}, ${tx.now})`,
  );
  const about = { why: INSIDE_WORD, tags: [INSIDE_WORD.toLowerCase()], language: "en", licence: "" };
  const { id: resourceId } = await addFile(tx, mira, {
    uploadId: upload.id,
    title: INSIDE_WORD,
    groupId: group.id,
    ...about,
  });
  await addDocument(tx, mira, { title: INSIDE_WORD, body: INSIDE_WORD, groupId: group.id, ...about });
  const { id: commentId } = await addComment(tx, mira, { resourceId, body: INSIDE_WORD });
  const { id: linkId } = await addLink(
    tx,
    mira,
    NewLink.parse({ url: `https://example.org/${group.id}`, title: INSIDE_WORD, groupId: group.id }),
  );
  await run(
    tx,
    sql`update resources set featured_at = ${tx.now}, featured_by = ${tomas.id} where id = ${linkId}`,
  );
  await run(
    tx,
    sql`insert into resource_bookmarks (person_id, resource_id, created_at) select id, ${linkId}, ${tx.now}
      from people`,
  );
  const { id: removedResourceId } = await addDocument(tx, mira, {
    title: DELETED_WORD,
    body: DELETED_WORD,
    groupId: group.id,
    ...about,
  });
  await removeResource(tx, tomas, { resourceId: removedResourceId, reason: INSIDE_WORD });
  const library = await addDocument(tx, mira, {
    title: "For everybody",
    body: "Open.",
    why: "",
    tags: [],
    language: "en",
    licence: "",
  });
  await run(
    tx,
    sql`insert into resource_uses (resource_id, post_id) values (${library.id}, ${discussion.postId})`,
  );
  const collection = tx.newId();
  await run(
    tx,
    sql`insert into collections (id, group_id, curator_id, title, created_at)
      values (${collection}, ${group.id}, ${mira.id}, ${INSIDE_WORD}, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into collection_items (collection_id, resource_id, position)
      values (${collection}, ${resourceId}, 1), (${collection}, ${library.id}, 2)`,
  );
  return {
    resourceId,
    libraryId: library.id,
    removedResourceId,
    commentId,
    collectionId: collection,
    keptAddress: `https://example.org/${group.id}`,
    uploadId: upload.id,
  };
}
