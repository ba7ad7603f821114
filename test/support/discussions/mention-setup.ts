import { many, sql } from "#platform/database";
import { type SignedIn } from "#community/rules";
import { createTestDiscussion, createTestGroup, createTestReply, createTestUsers } from "../test-users.ts";
import { getPost } from "../../../src/community/discussions/index.ts";
import type { TestDatabase } from "../setup/test-database.ts";

/** A group whose members mention each other. */
export function createMentionSetup(database: TestDatabase) {
  const { db } = database;
  /** Creates a group owned by Tomas with Mira as a member, and a discussion started by Mira. */
  async function setting(visibility: "public" | "private" | "secret" = "private") {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility });
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    const reply = async (by: SignedIn, body: string) => {
      const { id, plain } = await createTestReply(database, by, discussion.id, { body });
      const { html } = await getPost(db, by, id);
      return { id, html, plain };
    };
    return { ...people, group, discussion, reply };
  }
  const mentionsOf = async (postId: string) =>
    (
      await many(
        db,
        sql<{
          id: string;
        }>`select coalesce(person_id, group_id) as id from post_mentions
          where post_id = ${postId} and dropped_at is null`,
      )
    ).map(({ id }) => id);
  return { setting, mentionsOf };
}
