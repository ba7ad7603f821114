import { expect, test } from "vitest";
import { testDatabase } from "../../../../../test/support/setup/test-database.ts";
import { createAdapterSetup } from "../../../../../test/support/import-export/adapter-reader.ts";
import { createDamagedZip } from "../../../../../test/support/import-export/damaged-zip.ts";
import {
  SLACK_CHANNELS,
  slackMessage,
  SLACK_DAYS,
  slackFiles,
} from "../../../../../test/support/import-export/slack-export.ts";

const database = await testDatabase();
const { bring, write, posts, remarks } = createAdapterSetup(database, "slack");
const CUT = "Skipped: it is not JSON, or is incomplete.";

test("truncated and empty files are reported and everything else is imported", async () => {
  const more = {
    "garden-talk/2016-01-15.json": JSON.stringify(SLACK_DAYS["garden-talk/2016-01-15.json"]).slice(0, -9),
    "groups.json": "[",
    "garden-talk/2016-01-16.json": "",
  };
  const channels = JSON.stringify([...SLACK_CHANNELS, { id: "C2" }]);
  const run = await bring(
    await write(slackFiles({ ...more, "channels.json": channels, "garden-talk/2016-01-17.json": "{}" })),
  );
  expect((await posts()).map(([title]) => title)).toEqual([
    ...Array<string>(2).fill("garden-talk, 2016-01-14"),
    ...Array<string>(2).fill("When do we sow?"),
  ]);
  expect((await remarks(run)).filter((it) => !it.startsWith("#"))).toEqual([
    "channels.json: 1 of its entries cannot be read.",
    `groups.json: ${CUT}`,
    `garden-talk/2016-01-15.json: ${CUT}`,
    "garden-talk/2016-01-16.json: Skipped: it is empty.",
    "garden-talk/2016-01-17.json: Skipped: not a list.",
  ]);
});

test.each([
  ["truncated", "["],
  ["empty", ""],
  ["of a different format", "{}"],
  ["without readable channels", '[{"id":"C1"}]'],
])("an archive whose channels.json is %s is refused", async (_, text) => {
  await expect(bring(await write(slackFiles({ "channels.json": text })))).rejects.toMatchObject({
    reason: "invalid",
    message: expect.stringContaining("channels.json cannot be read"),
  });
});

test("a day file that is not UTF-8 is skipped with its line in a warning, but UTF-16 is accepted", async () => {
  const day = (it: Buffer) => slackFiles({ "garden-talk/2016-01-15.json": it });
  const text = JSON.stringify([slackMessage("1452866400.000100", "U1", "Grüße")], null, 1);
  const run = await bring(await write(day(Buffer.from(text, "latin1"))));
  expect(await remarks(run)).toContain("garden-talk/2016-01-15.json: Skipped: it is not UTF-8: see line 6.");
  expect((await posts()).map(([title]) => title)).not.toContain("garden-talk, 2016-01-15");
  await bring(await write(day(Buffer.from(`\uFEFF${text}`, "utf16le"))));
  expect((await posts()).at(-1)!.at(-1)).toBe("Grüße");
});

test("an archive without channels is refused", async () => {
  await expect(bring(await write({ "users.json": "[]" }))).rejects.toMatchObject({ reason: "invalid" });
});

test("a damaged day file in the zip is reported, and the following days are imported", async () => {
  const folder = await write({
    "export.zip": await createDamagedZip(slackFiles(), ["garden-talk/2016-01-14.json"]),
  });
  const run = await bring(`${folder}/export.zip`);
  expect((await posts()).map(([title]) => title)).toEqual([
    "garden-talk, 2016-01-15",
    "garden-talk, 2016-01-15",
  ]);
  expect(await remarks(run)).toContain(
    "garden-talk/2016-01-14.json: Skipped: garden-talk/2016-01-14.json cannot be read: it is damaged: " +
      "its checksum does not match.",
  );
});
