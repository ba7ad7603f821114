import { run, sql, type Tx } from "#platform/database";
import { draftTargets, saveDraft } from "#community/discussions";
import { createPerson, type TestUsers } from "../test-users.ts";
import { INSIDE_WORD, PENDING_WORD, PRIVATE_WORD, PROFILE_WORD } from "./marker-words.ts";

/** Adds a link preview, a picture, a pending post, resource and profile, old addresses and a draft. */
export async function addPostAttachments(
  tx: Tx,
  { mira }: Pick<TestUsers, "mira">,
  at: { group: { id: string }; discussion: { id: string; postId: string }; reply: { id: string } },
) {
  const { group, discussion, reply } = at;
  const address = "https://example.org/";
  await run(
    tx,
    sql`insert into link_previews (address, title, fetched_at, requested_at)
      values (${address}, ${INSIDE_WORD}, ${tx.now}, ${tx.now}) on conflict do nothing`,
  );
  await run(
    tx,
    sql`insert into post_links (post_id, address, place) values (${discussion.postId}, ${address}, 1)`,
  );
  const pictureId = tx.newId();
  await run(
    tx,
    sql`insert into uploads (id, owner_id, hash, size, mime, attached_kind, attached_id, created_at)
        values (${pictureId}, ${mira.id}, ${"c".repeat(64)}, 77, 'image/webp', 'post', ${reply.id},
          ${tx.now})`,
  );
  // A new account wrote while posts needed approval. The account was deleted, but its post is still pending.
  const newcomer = await createPerson(tx, "seedling", "member", "new");
  const [pendingPostId, heldPictureId] = [tx.newId(), tx.newId()];
  await run(
    tx,
    sql`insert into pending_posts (id, author_id, discussion_id, said, body_html, created_at)
        values (${pendingPostId}, ${newcomer.id}, ${discussion.id}, ${JSON.stringify({ body: PENDING_WORD })},
          ${`<p>${PENDING_WORD}</p>`}, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into uploads (id, owner_id, hash, size, mime, attached_kind, attached_id, created_at)
        values (${heldPictureId}, ${newcomer.id}, ${"f".repeat(64)}, 79, 'image/webp', 'held', ${pendingPostId},
          ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into pending_posts (id, author_id, group_id, visibility, said, body_html, created_at)
        values (${tx.newId()}, ${newcomer.id}, ${group.id}, (select visibility from groups where id = ${group.id}),
          ${JSON.stringify({
            title: PENDING_WORD,
            tags: [PENDING_WORD],
            resource: {
              kind: "link",
              url: `https://example.org/${PENDING_WORD}`,
              why: PENDING_WORD,
              body: "",
            },
          })}, '', ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into pending_posts (id, author_id, said, body_html, created_at)
        values (${tx.newId()}, ${newcomer.id}, ${JSON.stringify({
          profile: {
            bio: PROFILE_WORD,
            location: PROFILE_WORD,
            fields: [{ label: PROFILE_WORD, value: PROFILE_WORD, audience: "everyone" }],
          },
        })}, ${`<p>${PROFILE_WORD}</p>`}, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into address_redirects (path, kind, thing_id)
      values ('/t/old', 'discussion', ${discussion.id}), ('/t/old/2', 'post', ${reply.id})`,
  );
  await saveDraft(tx, mira, {
    place: draftTargets.group(group.id),
    version: 0,
    title: PRIVATE_WORD,
    body: PRIVATE_WORD,
  });
  return { pictureId, heldPictureId };
}

/** Adds bookmarks, drafts and read positions of all people, whatever their current membership. */
export async function addReadersTraces(tx: Tx, discussion: { id: string; postId: string }): Promise<void> {
  await run(
    tx,
    sql`insert into bookmarks (person_id, post_id, created_at, remind_at, reminded_at) select id,
      ${discussion.postId}, ${tx.now}, ${tx.now}, ${tx.now} from people`,
  );
  await run(
    tx,
    sql`insert into drafts (person_id, place, data, saved_at) select id,
      ${draftTargets.discussion(discussion.id)}, '{"title":"","body":"Begun."}', ${tx.now} from people`,
  );
  await run(
    tx,
    sql`insert into dropped_drafts (person_id, place, data, dropped_at) select person_id, place, data,
      saved_at from drafts`,
  );
  await run(
    tx,
    sql`insert into read_positions (person_id, discussion_id, level, read_at) select id, ${discussion.id},
      'watching', ${tx.now} from people
        on conflict (person_id, discussion_id) do update set level = 'watching'`,
  );
}
