import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { type TestConnection, startRealtimeServer } from "../support/realtime/sdk-connection.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { createTestUsers } from "../support/test-users.ts";

const database = await testDatabase();
let line: TestConnection;
beforeAll(async () => {
  line = await startRealtimeServer(database);
});
afterAll(() => line.close());
beforeEach(() => line.settings.forget());

/** Runs the program in a process of its own, with nothing but a server address. */
async function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["tasks.js"], {
    cwd: "examples/node",
    env: { PATH: process.env["PATH"], KITH_URL: line.origin(), ...env },
  });
  const ended = new Promise<number | null>((done) => child.once("close", done));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, output: output.trim().split("\n"), errors };
}

describe("Node example", () => {
  test("signs up, saves, finds, subscribes, calls a service, publishes and exits", async () => {
    const { ada } = await createTestUsers(database);
    await database.inTransaction((tx) =>
      line.settings.set(tx, ada, { confirmAddress: false, accountsPerAddress: 0 }),
    );
    const first = [
      "Signed in as Gil the gardener.",
      "Saved: Water the beans.",
      "Open: Water the beans, 20 minutes.",
      "Live: Feed the peas.",
      "Called: Users.updateProfile.",
      "Heard on the channel: The peas are fed.",
      "Left to do: 1.",
    ];
    expect(await start()).toEqual({ code: 0, output: first, errors: "" });
    expect(
      await many(
        database.db,
        sql`select display_name as name, location from people where display_name like 'Gil%'`,
      ),
    ).toEqual([{ name: "Gil the gardener", location: "The garden" }]);
    // A second run finds the account and the saved data.
    const again = await start();
    expect(again).toMatchObject({ code: 0, errors: "" });
    expect(again.output.at(-1)).toBe("Left to do: 2.");
  });

  test("exits with the server's message when it is refused", async () => {
    const { code, errors } = await start({ KITH_PASSWORD: "x" });
    expect(code).toBe(1);
    expect(errors).toContain("password");
  });
});
