import { beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { markRead } from "#community/discussions";
import { addWordFilter, blockPerson, NewWordFilter } from "#community/friends";
import { leaveGroup } from "#community/groups";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { mailDigests } from "./digest.ts";
import { createMailContext } from "../../../test/support/mail/mail-context.ts";
import { mailScope, unsubscribeFromMail, signUnsubscribeToken } from "./unsubscribe.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const app = createMailContext(database);
let people: TestUsers;
let group: Awaited<ReturnType<typeof createTestGroup>>;
let discussion: { id: string };
// The test clock starts on a Monday at nine.
beforeEach(async () => {
  people = await createTestUsers(database);
  group = await createTestGroup(database, people, { visibility: "private" });
  clock.pass(DAY);
  discussion = await createTestDiscussion(database, people.tomas, group.id, {
    body: "The soil is *still* cold.",
  });
  await createTestReply(database, people.tomas, discussion.id);
});

const nextMonday = new Date("2026-05-11T08:30:00Z");
const mira = () => listMailbox(db, "mira@example.org");
const choose = (every: string, day: number) =>
  run(
    db,
    sql`insert into notification_settings (person_id, digest_every, digest_day)
      values (${people.mira.id}, ${every}, ${day})`,
  );

describe("digest", () => {
  test("arrives once on Monday morning with unread posts by group and an unsubscribe link", async () => {
    clock.at = new Date("2026-05-11T07:59:00Z");
    expect(await mailDigests(app)).toBe(0);
    clock.at = nextMonday;
    expect(await mailDigests(app)).toBe(1);
    const [mail] = await mira();
    expect(mail!.subject).toBe("What you have not read in Kith");
    expect(mail!.text).toContain("== The Long Beds");
    expect(mail!.text).toContain("When to sow beans · one reply\n> The soil is still cold.");
    expect(mail!.text).toContain(`/discussions/${discussion.id}?post=1`);
    expect(mail!.text.match(/\/unsubscribe\//g)).toHaveLength(2);
    for (let hours = 0; hours < 30; hours++) {
      clock.pass(HOUR);
      expect(await mailDigests(app)).toBe(0);
    }
  });

  test("reaches its recipient once although several processes run at the same moment", async () => {
    clock.at = nextMonday;
    const counts = await Promise.all([mailDigests(app), mailDigests(app), mailDigests(app)]);
    expect(counts.reduce((a, b) => a + b)).toBe(1);
    expect(await mira()).toHaveLength(1);
  });

  test("stays unsent without content, even if there is content later that day", async () => {
    await within((tx) => markRead(tx, people.mira, { discussionId: discussion.id, upTo: 2 }));
    clock.at = nextMonday;
    expect(await mailDigests(app)).toBe(0);
    await createTestReply(database, people.tomas, discussion.id);
    clock.pass(HOUR);
    expect(await mailDigests(app)).toBe(0);
    expect(await many(db, sql`select mailed from digests where person_id = ${people.mira.id}`)).toEqual([
      { mailed: false },
    ]);
  });

  test("can still be sent two days late, but not three days late", async () => {
    clock.at = addMilliseconds(nextMonday, 2 * DAY);
    expect(await mailDigests(app)).toBe(1);
    await run(db, sql`delete from digests`);
    await run(db, sql`delete from mails`);
    clock.at = addMilliseconds(nextMonday, 3 * DAY);
    expect(await mailDigests(app)).toBe(0);
  });

  test.each([
    ["day", 1, ["2026-05-05T12:00:00Z", "2026-05-07T08:00:00Z"]],
    ["week", 5, ["2026-05-08T08:00:00Z"]],
    ["never", 1, []],
    // The first Wednesday of May.
    ["month", 3, ["2026-05-06T08:00:00Z"]],
  ] as const)("follows the chosen frequency and day: %s, %i", async (every, day, expected) => {
    await choose(every, day);
    const digestTimes: string[] = [];
    for (
      clock.at = new Date("2026-05-05T12:00:00Z");
      clock.at < new Date("2026-05-08T20:00:00Z");
      clock.pass(HOUR)
    ) {
      if (clock.at.getUTCDate() === 7 && clock.at.getUTCHours() === 7)
        await createTestReply(database, people.tomas, discussion.id);
      if ((await mailDigests(app)) > 0) digestTimes.push(clock.at.toISOString().replace(".000", ""));
    }
    // A digest does not repeat the previous one; new posts appear.
    expect(digestTimes).toEqual(expected);
  });

  test("arrives in the morning of the recipient's time zone, in their language", async () => {
    await run(
      db,
      sql`update people set time_zone = 'America/Los_Angeles', locale = 'fr' where id = ${people.mira.id}`,
    );
    clock.at = nextMonday;
    expect(await mailDigests(app)).toBe(0);
    clock.at = new Date("2026-05-11T15:10:00Z");
    expect(await mailDigests(app)).toBe(1);
    expect((await mira())[0]!.subject).toBe("Non lu sur Kith");
  });
});

describe("personal digest", () => {
  test.each([
    [
      "contains no posts of a group that was left",
      () => within((tx) => leaveGroup(tx, people.mira, { groupId: group.id })),
    ],
    [
      "stays unsent for a banned person",
      () => within((tx) => setMembership(tx, group.id, people.mira, "banned")),
    ],
    [
      "contains no posts of a muted group",
      () => run(db, sql`update memberships set notify_level = 'mute' where person_id = ${people.mira.id}`),
    ],
    ...(["to sow", "still cold"] as const).map((phrase): [string, () => Promise<unknown>] => [
      `contains no post with a filtered phrase in its title or text: ${phrase}`,
      () =>
        within((tx) =>
          addWordFilter(
            tx,
            people.mira,
            NewWordFilter.parse({ phrase, contexts: ["notifications"], action: "hide", until: null }),
          ),
        ),
    ]),
    [
      "stays unsent for a person who wants no mail",
      () => run(db, sql`update people set mail_level = 'nothing'`),
    ],
    [
      "stays unsent while it is paused",
      () =>
        run(
          db,
          sql`insert into notification_settings (person_id, paused_until)
            values (${people.mira.id}, '2026-06-01')`,
        ),
    ],
    [
      "stays unsent after unsubscribing",
      () =>
        within((tx) =>
          unsubscribeFromMail(
            tx,
            app.signer,
            signUnsubscribeToken(app.signer, people.mira.id, mailScope("digest")),
          ),
        ),
    ],
    [
      "contains no posts of an excluded group",
      () =>
        within((tx) =>
          unsubscribeFromMail(
            tx,
            app.signer,
            signUnsubscribeToken(app.signer, people.mira.id, mailScope("digest", group.id)),
          ),
        ),
    ],
    [
      "stays unsent after half a year of absence",
      () => run(db, sql`update people set seen_at = '2025-10-01'`),
    ],
  ])("%s", async (_words, change: () => Promise<unknown>) => {
    await change();
    clock.at = nextMonday;
    expect(await mailDigests(app)).toBe(0);
    expect(await mira()).toEqual([]);
  });

  test("contains no posts of blocked people", async () => {
    await within((tx) => blockPerson(tx, people.mira, { personId: people.tomas.id }));
    clock.at = nextMonday;
    await mailDigests(app);
    for (const { text } of await mira()) expect(text).not.toContain("still cold");
  });
});
