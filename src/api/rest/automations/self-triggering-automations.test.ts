import { describe, expect, test } from "vitest";
import { activateAutomation, getRun } from "#baas/automations";
import { saveObject } from "#baas/data";
import { NewReply, reply } from "#community/discussions";
import { many, sql } from "#platform/database";
import { z } from "zod";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
} from "../../../../test/support/test-users.ts";
import { callService } from "../extensions/extension-calls.ts";
import {
  listRunTriggers,
  deliverEvents,
  database,
  testApi,
  listenToTable,
  createTestAutomation,
  people,
  runSteps,
} from "../../../../test/support/rest/entity-automations.ts";

const within = database.inTransaction;

const TRUSTED = { personId: null, roles: [], server: true, trusted: true };

describe("automation that triggers itself", () => {
  /** Posts as Tomas, as an operator's extension may. */
  const parrot = {
    service: "Parrot",
    name: "say",
    about: "Answers.",
    input: z.object({ discussionId: z.string() }),
    run: (_context: unknown, { discussionId }: { discussionId: string }) =>
      within((tx) => reply(tx, people.tomas, NewReply.parse({ discussionId, body: "Polly!" }))),
  };

  test("stops when the service it calls creates posts", async () => {
    testApi.app.services.add(parrot as never);
    const id = await listenToTable(
      "Posts",
      {},
      {
        steps: [
          {
            kind: "call",
            service: "Parrot",
            method: "say",
            input: { discussionId: "{{trigger.data.record.discussionId}}" },
          },
        ],
      },
    );
    const group = await createTestGroup(database, people);
    await createTestDiscussion(database, people.mira, group.id);
    for (let n = 0; n < 10; n++) {
      await deliverEvents();
      await runSteps();
    }
    expect(await listRunTriggers(id)).toHaveLength(6);
  });

  test("stops when it runs as a person who creates posts", async () => {
    const group = await createTestGroup(database, people);
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    const postStep = {
      kind: "record",
      act: "create",
      table: "Posts",
      values: { discussionId: discussion.id, text: "Hello." },
    };
    const calls = {
      kind: "call",
      service: "Posts",
      method: "reply",
      input: { discussionId: discussion.id, body: "Hello again." },
    };
    const speaks = await createTestAutomation({
      who: "everyone",
      rights: "starter",
      triggers: [{ kind: "call", name: "call" }],
      steps: [postStep, calls],
    });
    const listenerId = await listenToTable("Posts", { where: "number > 1" });
    const runId = await activateAutomation(
      testApi.app.flows,
      { ...TRUSTED, personId: people.mira.id, server: false },
      { id: speaks },
      {},
    );
    await runSteps();
    expect(await getRun(testApi.app.flows, runId)).toMatchObject({ state: "done", fault: null });
    await deliverEvents();
    expect((await listRunTriggers(listenerId)).map(({ record }) => record["text"])).toEqual([
      "Hello.",
      "Hello again.",
    ]);
    expect(
      await many(database.db, sql`select depth from automation_runs where flow_id = ${listenerId}`),
    ).toEqual([{ depth: 1 }, { depth: 1 }]);
    // An unrelated reply is not attributed to the run.
    await createTestReply(database, people.mira, discussion.id);
    expect(
      await many(
        database.db,
        sql`select payload ->> 'cause' as cause from outbox where type = 'post.written' order by id`,
      ),
    ).toEqual([{ cause: runId }, { cause: runId }, { cause: null }]);
  });

  test("stops because service calls and saved records carry the cause of the run", async () => {
    const group = await createTestGroup(database, people);
    const { id: discussionId } = await createTestDiscussion(database, people.mira, group.id);
    const caller = { key: "client", viewer: people.mira, session: null, roles: [] } as const;
    const call = { service: "Posts", method: "reply", input: { discussionId, body: "Hello." } };
    await callService(testApi.app, call, { caller, cause: "a run" });
    const byTable = {
      userId: people.mira.id,
      roles: [],
      server: false,
      viewer: people.mira,
      cause: "another",
    };
    await saveObject(testApi.app.tables, byTable, "Posts", { discussionId, text: "Hello again." });
    const causes = sql`select payload ->> 'cause' as cause from outbox where type = 'post.written'
      order by id`;
    expect(await many(database.db, causes)).toEqual([{ cause: "a run" }, { cause: "another" }]);
  });
});
