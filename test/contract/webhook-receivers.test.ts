import { spawn, spawnSync } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import { sendTestDelivery } from "#community/webhooks";
import { run, sql } from "#platform/database";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../support/test-users.ts";
import { readExamples } from "../support/contract/docs-examples.ts";
import { findFreePort } from "../support/setup/free-port.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { createWebhookSetup } from "../support/webhooks/webhook-setup.ts";

const database = await testDatabase();
const { dispatch, sendDue, hook } = createWebhookSetup(database);
const ended: (() => void)[] = [];
afterAll(() => ended.forEach((end) => end()));
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Starts an example of the page as a program; `printed` returns its output so far. */
async function startExample(command: string, args: string[], lines: string[], secret: string) {
  const port = await findFreePort();
  const child = spawn(command, [...args, lines.join("\n")], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  ended.push(() => child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (part) => (output += String(part)));
  const url = `http://127.0.0.1:${port}/`;
  const isListening = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await expect.poll(isListening, { timeout: 20_000 }).toBe(true);
  return { port, printed: () => output };
}

describe("receiver of the documentation", () => {
  test.each([
    ["Node", "js receiver", process.execPath, ["--input-type=module", "-e"]],
    ...(hasPython ? ([["Python", "python receiver", "python3", ["-c"]]] as const) : []),
  ] as const)(
    "in %s accepts signed calls and refuses others",
    async (_language, fence, command, args) => {
      // Receivers compare the time of a call with their clock.
      database.clock.at = new Date();
      const people = await createTestUsers(database);
      const { id: groupId } = await createTestGroup(database, people);
      const { id: webhookId, secret } = await hook(people.tomas, groupId, ["discussion.created"]);
      const { examples } = readExamples("docs/integrations.md", fence);
      expect(examples).toHaveLength(1);
      const { port, printed } = await startExample(command, [...args], examples[0]!.lines, secret);
      const url = `http://receiver.example:${port}/`;
      await run(database.db, sql`update webhooks set url = ${url} where id = ${webhookId}`);
      const { id } = await createTestDiscussion(database, people.mira, groupId);
      await dispatch();
      expect(await sendDue()).toBe(1);
      await expect.poll(printed).toBe(`discussion.created ${id}\n`);

      const another = await hook(people.tomas, groupId, ["discussion.created"]);
      await run(database.db, sql`update webhooks set url = ${url} where id = ${another.id}`);
      await database.inTransaction((tx) =>
        sendTestDelivery(tx, people.tomas, { groupId, webhookId: another.id }),
      );
      await sendDue(1);
      const { rows } = await database.pool.query("select status from webhook_deliveries order by id");
      expect(rows).toEqual([{ status: 204 }, { status: 401 }]);
      expect(printed()).toBe(`discussion.created ${id}\n`);
    },
    40_000,
  );
});
