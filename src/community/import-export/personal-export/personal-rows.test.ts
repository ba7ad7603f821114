import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { blockPerson, createFriendLink } from "#community/friends";
import {
  requestToJoin,
  declineJoinRequest,
  inviteByName,
  InviteLink,
  createInviteLink,
  pinGroup,
} from "#community/groups";
import { createTestGroup, setMembership, createTestUsers } from "../../../../test/support/test-users.ts";
import { openZip } from "../archive/zip.ts";
import {
  clock,
  database,
  db,
  folder,
  makeExport,
  setupActivePeople,
  storage,
  within,
} from "../../../../test/support/import-export/personal-export-setup.ts";

/** The contents of an export by file. */
async function contents(hash: string): Promise<Record<string, string>> {
  const path = join(folder, "one.zip");
  await writeFile(path, await buffer(await storage.open(hash)));
  const zip = await openZip(path);
  const read = await Promise.all(
    zip.names.map(async (name) => [name, await text(await zip.read(name))] as const),
  );
  zip.close();
  return Object.fromEntries(read);
}

describe("personal export", () => {
  test("lists invitations without tokens and without names of people who blocked the owner", async () => {
    const { mira, tomas, noor, group } = await setupActivePeople();
    await within(async (tx) => {
      await inviteByName(tx, mira, { groupId: group.id, username: "ines" });
      await inviteByName(tx, mira, { groupId: group.id, username: "noor" });
      await blockPerson(tx, noor, { personId: mira.id });
    });
    const link = await within((tx) =>
      createInviteLink(tx, tomas, InviteLink.parse({ groupId: group.id, entry: "join" })),
    );
    const friends = await within((tx) => createFriendLink(tx, mira));
    const ofMira = await contents((await makeExport(mira)).hash);
    expect(JSON.parse(ofMira["invitations.json"]!)).toMatchObject([
      { kind: "person", group: "Cellar", username: "ines" },
      { kind: "person", group: "Cellar", username: null },
    ]);
    expect(JSON.parse(ofMira["friend-links.json"]!)).toMatchObject([{ uses: 0 }]);
    const ofTomas = await contents((await makeExport(tomas)).hash);
    expect(JSON.parse(ofTomas["invitations.json"]!)).toMatchObject([{ kind: "link", uses: 0 }]);
    for (const token of [link.token, friends.token])
      expect(Object.values({ ...ofMira, ...ofTomas }).join()).not.toContain(token);
  });

  test("contains only own texts and files", async () => {
    const { mira } = await setupActivePeople();
    const { hash } = await makeExport(mira);
    const files = await contents(hash);
    const whole = Object.values(files).join("\n");
    for (const own of [
      "Own title",
      "Own words",
      "Own answer",
      "Own message",
      "own bytes",
      "mira@example.org",
      "Cellar",
    ])
      expect(whole, own).toContain(own);
    for (const strange of ["Strange words", "Strange message", "hash", "argon2"])
      expect(whole, strange).not.toContain(strange);
    for (const [name, it] of Object.entries(files))
      if (name.endsWith(".json")) expect(Array.isArray(JSON.parse(it)), name).toBe(true);
    expect(JSON.parse(files["posts.json"]!)).toHaveLength(2);
    const uploaded = Object.keys(files).filter((name) => name.startsWith("files/"));
    expect(uploaded).toEqual([expect.stringMatching(/^files\/[0-9a-f-]{36}\.txt$/)]);
    expect(files["index.html"]).toContain("notes &#38; more.txt");
    expect(files["index.html"]).toContain('<a href="posts.json">Your posts</a><td>2');
  });

  test("lists passkeys without key material", async () => {
    const { mira } = await setupActivePeople();
    await run(
      db,
      sql`insert into passkeys (id, person_id, credential_id, name, public_key, party, added_at)
          values (gen_random_uuid(), ${mira.id}, 'own id', 'This phone', 'own key', 'kith.test',
            ${clock.at})`,
    );
    const files = await contents((await makeExport(mira)).hash);
    expect(JSON.parse(files["passkeys.json"]!)).toEqual([
      { name: "This phone", madeFor: "kith.test", addedAt: expect.any(String), usedAt: null },
    ]);
  });

  test("lists pinned groups", async () => {
    const { mira, group } = await setupActivePeople();
    await within((tx) => pinGroup(tx, mira, { groupId: group.id }));
    const files = await contents((await makeExport(mira)).hash);
    expect(JSON.parse(files["groups.json"]!)).toMatchObject([{ id: group.id, pinnedAt: expect.any(String) }]);
  });

  test("states the outcome of join requests without naming the moderator", async () => {
    const people = await createTestUsers(database);
    const { noor, ada, tomas } = people;
    const group = await createTestGroup(database, people, {
      visibility: "private",
      questions: ["Why?"],
      name: "Cellar",
    });
    for (const [who, answer] of [
      [noor, "Own answer"],
      [ada, "Strange answer"],
    ] as const) {
      await within((tx) => requestToJoin(tx, who, { groupId: group.id, answers: [answer] }));
      await within((tx) =>
        declineJoinRequest(tx, tomas, { groupId: group.id, personId: who.id, reason: "Full." }),
      );
    }
    const files = await contents((await makeExport(noor)).hash);
    const requests = files["group-requests.json"]!;
    expect(JSON.parse(requests)).toMatchObject([
      {
        id: group.id,
        name: "Cellar",
        answers: [{ question: "Why?", answer: "Own answer" }],
        outcome: "declined",
        reason: "Full.",
      },
    ]);
    for (const strange of ["Strange", "tomas", tomas.id]) expect(requests, strange).not.toContain(strange);
  });

  test("contains only the person's own automation data", async () => {
    const { mira, tomas } = await setupActivePeople();
    const flow = sql`(select id from automations)`;
    await run(
      db,
      sql`insert into automations (id, name, enabled, version, created_at, changed_at)
        values (gen_random_uuid(), 'Welcome', true, 1, now(), now())`,
    );
    await run(
      db,
      sql`insert into automation_versions (flow_id, version, definition) values (${flow}, 1, '{}')`,
    );
    for (const [who, given] of [
      [mira, { words: "Own wish" }],
      [tomas, { words: "Strange wish" }],
    ] as const)
      await run(
        db,
        sql`insert into automation_runs (id, flow_id, version, person_id, server, depth, trigger, state,
          position, context, created_at, ended_at)
            values (gen_random_uuid(), ${flow}, 1, ${who.id}, false, 0, 'call', 'done', '[]',
              ${JSON.stringify({ trigger: { data: given }, secret: "Strange answer" })}, now(), now())`,
      );
    const files = await contents((await makeExport(mira)).hash);
    expect(JSON.parse(files["automations.json"]!)).toMatchObject([
      { automation: "Welcome", trigger: "call", given: { words: "Own wish" }, state: "done" },
    ]);
    expect(files["automations.json"]).not.toContain("Strange");
  });

  test("names no group and no person that its owner can no longer see", async () => {
    const { mira, tomas, group } = await setupActivePeople();
    await within((tx) => setMembership(tx, group.id, mira, "left"));
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    const whole = Object.values(await contents((await makeExport(mira)).hash)).join("\n");
    for (const hiddenText of ["Cellar", "Strange title", "tomas"])
      expect(whole, hiddenText).not.toContain(hiddenText);
    expect(whole).toContain("Own answer");
  });
});
