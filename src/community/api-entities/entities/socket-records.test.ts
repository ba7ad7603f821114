import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { deletePost } from "#community/discussions";
import { blockPerson } from "#community/friends";
import type { Viewer } from "#community/rules";
import { type EntityChange, type FollowedEntity, readRecordFor } from "../index.ts";
import {
  setMembership,
  createTestUsers,
  type TestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { createLeakCommunity, type LeakCommunity } from "../../../../test/support/leak-matrix/community.ts";
import { createAllViewers } from "../../../../test/support/leak-matrix/viewers.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { API_ENTITIES } from "./index.ts";
import { readEntityRows } from "../../../../test/support/entity-rows.ts";

const database = await testDatabase();
const { inTransaction: within, db } = database;
const named = (name: string) => API_ENTITIES.find((entity) => entity.name === name)!;
const read = (viewer: Viewer, name: string, where = sql`true`) =>
  readEntityRows(db, viewer, named(name), where);

describe("row and socket record", () => {
  const changesOf = (at: LeakCommunity, { mira, tomas }: TestUsers): EntityChange[] => [
    { table: "Comments", event: "updated", ids: { objectId: at.commentId } },
    ...[at.postId, at.replyId, at.pollId].map((objectId) => ({
      table: "Posts" as FollowedEntity,
      event: "updated" as const,
      ids: { objectId },
    })),
    { table: "Discussions", event: "updated", ids: { objectId: at.discussionId } },
    { table: "Groups", event: "updated", ids: { objectId: at.groupId } },
    { table: "Messages", event: "updated", ids: { objectId: at.messageId } },
    {
      table: "Memberships",
      event: "updated",
      ids: { objectId: `${at.groupId}:${mira.id}`, groupId: at.groupId, personId: mira.id },
    },
    {
      table: "Reactions",
      event: "created",
      ids: { objectId: `${at.postId}:${tomas.id}:👍`, postId: at.postId, ownerId: tomas.id, emoji: "👍" },
    },
  ];
  const plain = (value: unknown) => (value instanceof Date ? value.getTime() : value);

  test.each(["public", "private", "secret"] as const)(
    "agree in a %s group for every class of viewer, including across a block",
    async (visibility) => {
      const people = await createTestUsers(database);
      const at = await createLeakCommunity(database, people, visibility);
      const blocked = await within(async (tx) => {
        const who = await createPerson(tx, "cleo");
        await setMembership(tx, at.groupId, who, "member");
        return who;
      });
      await within((tx) => blockPerson(tx, people.mira, { personId: blocked.id }));
      await within((tx) => deletePost(tx, people.mira, { postId: at.replyId }));
      await run(db, sql`update posts set state = 'hidden' where id = ${at.pollId}`);
      const viewers: [string, Viewer][] = [
        ...(await createAllViewers(database, people, at.groupId)),
        ["blocked", blocked],
        ["owner", people.tomas],
      ];
      for (const change of changesOf(at, people)) {
        const sight = await readRecordFor(
          db,
          change,
          viewers.flatMap(([, { id }]) => id ?? []),
        );
        for (const [name, viewer] of viewers) {
          const record = sight?.(viewer.id) ?? null;
          const [row] = await read(
            viewer,
            change.table,
            named(change.table).columns[0]!.among!("t", [change.ids.objectId]),
          );
          const shared =
            record &&
            Object.fromEntries(
              Object.keys(record).map((key) => [key, key === "___class" ? change.table : plain(row?.[key])]),
            );
          expect([name, change.table, row ? shared : null]).toEqual([name, change.table, record]);
        }
      }
    },
  );
});
