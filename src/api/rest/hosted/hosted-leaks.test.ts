import { describe, expect, test } from "vitest";
import { API_ENTITIES } from "#community/api-entities";
import { many, sql } from "#platform/database";
import { createTestUsers } from "../../../../test/support/test-users.ts";
import { createLeakCommunity } from "../../../../test/support/leak-matrix/community.ts";
import {
  DELETED_WORD,
  INSIDE_WORD,
  GROUP_NAME,
  PRIVATE_WORD,
} from "../../../../test/support/leak-matrix/marker-words.ts";
import { APP, CLIENT } from "../../../../test/support/rest/rest-server.ts";
import {
  clientSdk,
  database,
  testApi,
  callManagement,
  createUserInput,
  type Row,
} from "../../../../test/support/rest/hosted-api.ts";

/** Everything a caller reads of every community entity. */
async function readsAll(headers: Record<string, string>): Promise<string> {
  const answers = await Promise.all(
    API_ENTITIES.map(({ name }) =>
      testApi.call(
        "POST",
        `/${APP}/${CLIENT}/data/${name}/find`,
        { pageSize: 100, relationsDepth: 2 },
        headers,
      ),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(API_ENTITIES.map(() => 200));
  return answers.map(({ text }) => text).join("\n");
}

describe("hosted-service defaults", () => {
  test.each(["private", "secret"] as const)(
    "reveal nothing of a %s group to guests and new users",
    async (visibility) => {
      const people = await createTestUsers(database);
      const { groupId } = await createLeakCommunity(database, people, visibility);
      await callManagement("POST", "/data/table/Users/columns/relation", {
        name: "friends",
        toTable: "Users",
        relationshipType: "ONE_TO_MANY",
      });
      const stranger = createUserInput();
      await clientSdk().UserService.register(stranger);
      const { "user-token": token } = (await clientSdk().UserService.login(
        stranger.email,
        stranger.password,
      )) as unknown as Row;
      const grant = { permission: "FIND", user: "*" };
      const callers: Record<string, string>[] = [{}, { "user-token": String(token) }];
      for (const headers of callers) {
        expect(
          (
            await testApi.call(
              "PUT",
              `/${APP}/${CLIENT}/data/Groups/permissions/GRANT/${groupId}`,
              grant,
              headers,
            )
          ).status,
        ).toBe(400);
        const text = await readsAll(headers);
        for (const word of [
          INSIDE_WORD,
          PRIVATE_WORD,
          DELETED_WORD,
          ...(visibility === "secret" ? [GROUP_NAME] : []),
        ])
          expect([word, text.includes(word)]).toEqual([word, false]);
        const addresses = await many(
          database.db,
          sql<{ email: string }>`select email from people where email <> ${stranger.email}`,
        );
        for (const { email } of addresses) expect([email, text.includes(email)]).toEqual([email, false]);
      }
    },
  );
});
