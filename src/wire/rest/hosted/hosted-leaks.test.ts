import { describe, expect, test } from "vitest";
import { PUBLISHED } from "#community/published";
import { many, sql } from "#platform/database";
import { cast } from "../../../../test/cast.ts";
import { DELETED_WORD, fill, INSIDE, NAME, PRIVATE_WORD } from "../../../../test/leaky-place.ts";
import { APP, CLIENT } from "../rest.fixture.ts";
import { app, database, door, manage, newUser, type Row } from "./hosted.fixture.ts";

/** Everything a caller reads of every community entity. */
async function readsAll(headers: Record<string, string>): Promise<string> {
  const answers = await Promise.all(
    PUBLISHED.map(({ name }) => door.call("POST", `/${APP}/${CLIENT}/data/${name}/find`, { pageSize: 100, relationsDepth: 2 }, headers)),
  );
  expect(answers.map(({ status }) => status)).toEqual(PUBLISHED.map(() => 200));
  return answers.map(({ text }) => text).join("\n");
}

describe("hosted-service defaults", () => {
  test.each(["private", "secret"] as const)("reveal nothing of a %s group to guests and new users", async (visibility) => {
    const people = await cast(database);
    const { groupId } = await fill(database, people, visibility);
    await manage("POST", "/data/table/Users/columns/relation", { name: "friends", toTable: "Users", relationshipType: "ONE_TO_MANY" });
    const stranger = newUser();
    await app().UserService.register(stranger);
    const { "user-token": token } = (await app().UserService.login(stranger.email, stranger.password)) as unknown as Row;
    const grant = { permission: "FIND", user: "*" };
    const callers: Record<string, string>[] = [{}, { "user-token": String(token) }];
    for (const headers of callers) {
      expect((await door.call("PUT", `/${APP}/${CLIENT}/data/Groups/permissions/GRANT/${groupId}`, grant, headers)).status).toBe(400);
      const heard = await readsAll(headers);
      for (const word of [INSIDE, PRIVATE_WORD, DELETED_WORD, ...(visibility === "secret" ? [NAME] : [])])
        expect([word, heard.includes(word)]).toEqual([word, false]);
      const addresses = await many(database.db, sql<{ email: string }>`select email from people where email <> ${stranger.email}`);
      for (const { email } of addresses) expect([email, heard.includes(email)]).toEqual([email, false]);
    }
  });
});
