import { describe, expect, test } from "vitest";
import { DAY, HOUR, later, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { countBounce, mailbox } from "#platform/mail";
import { deletePost } from "#community/discussions";
import { addFilter, askFriend, block, mutePerson, NewFilter } from "#community/friends";
import { leaveGroup } from "#community/groups";
import { aReply, person } from "../../../test/cast.ts";
import { mailDue } from "./due.ts";
import { mailHouse, told } from "../../../test/mail-house.ts";
import { scopeOf, stopMail, stopToken } from "./stopping.ts";
import { answered, clock, database, db, discussion, group, heads, house, people, rows, soon, within } from "./due.fixture.ts";

describe("delayed mail", () => {
  test("waits, then names who wrote what, why, and how to unsubscribe", async () => {
    await answered();
    expect(await mailDue(house)).toBe(0);
    expect(await mailbox(db)).toEqual([]);
    clock.pass(10 * MINUTE);
    expect(await mailDue(house)).toBe(1);
    const [mail] = await mailbox(db, "mira@example.org");
    expect(mail!.subject).toBe("When to sow beans · The Long Beds");
    expect(mail!.text).toContain("Hello Mira,\n\nTomas answered you.");
    expect(mail!.text).toContain("> After the ice saints.");
    expect(mail!.text).toContain(`https://kith.test/discussions/${discussion.id}?post=2#post-2`);
    expect(mail!.text).toContain("You get this because somebody answered what you wrote.");
    expect(mail!.text).toMatch(/No more mail about this: https:\/\/kith\.test\/unsubscribe\/[\w-]+$/);
    expect((await rows())[0]!.mailedAt).toEqual(clock.at);
    expect(await mailDue(house)).toBe(0);
  });

  test("the mail is cancelled by reading", async () => {
    await answered();
    await run(db, sql`update notifications set read_at = ${clock.at}`);
    clock.pass(HOUR);
    expect(await mailDue(house)).toBe(0);
    expect(await mailbox(db)).toEqual([]);
  });

  test("skips what its recipient can no longer see, even if not yet withdrawn", async () => {
    await told(database, {
      personId: people.mira.id,
      kind: "group_request",
      objectKind: "group",
      objectId: group.id,
      reason: "you_lead",
      actors: [people.noor.id],
      mailAt: soon(),
    });
    clock.pass(10 * MINUTE);
    expect(await mailDue(house)).toBe(0);
    expect(await rows()).toEqual([{ mailAt: null, mailedAt: null }]);
  });

  test("groups everything waiting in a discussion into one mail, including what was delayed longer", async () => {
    const first = await answered("One.");
    clock.pass(9 * MINUTE);
    const { id } = await aReply(database, people.tomas, discussion.id, { body: "@mira, two." });
    await told(database, {
      personId: people.mira.id,
      kind: "mention",
      objectKind: "discussion",
      objectId: discussion.id,
      reason: "mentioned",
      actors: [people.tomas.id],
      items: [id, first],
      mailAt: soon(),
    });
    clock.pass(MINUTE);
    expect(await mailDue(house)).toBe(1);
    const [mail] = await mailbox(db);
    expect(mail!.text).toContain("Tomas mentioned you.");
    expect(mail!.text.match(/^> /gm)).toHaveLength(2);
    expect((await rows()).every(({ mailedAt }) => mailedAt !== null)).toBe(true);
  });

  test("joins the thread of the previous mail and contains only what is new", async () => {
    await answered("One.");
    clock.pass(10 * MINUTE);
    await mailDue(house);
    clock.pass(MINUTE);
    const { id } = await aReply(database, people.tomas, discussion.id, { body: "Two." });
    await run(
      db,
      sql`update notifications set items = array[${id}::uuid] || items, latest_id = ${id}, mailed_before = mailed_at, mailed_at = null, mail_at = ${clock.at}, updated_at = ${clock.at}`,
    );
    expect(await mailDue(house)).toBe(1);
    const [newest] = await mailbox(db);
    expect(newest!.text).toContain("> Two.");
    expect(newest!.text).not.toContain("> One.");
    const [a, b] = await heads();
    expect(a!.headers.inReplyTo).toBe(b!.headers.inReplyTo);
    expect(a!.id).not.toBe(b!.id);
    expect(a!.headers.list).toEqual({ id: `${discussion.id}.discussions`, name: "When to sow beans" });
  });

  test("the mail is sent once although two processes run at the same moment", async () => {
    for (const n of [1, 2, 3]) {
      const reader = await within((tx) => person(tx, `reader${n}`));
      await within((tx) => askFriend(tx, people.mira, { personId: reader.id, note: "" }));
      await told(database, {
        personId: reader.id,
        kind: "friend_request",
        objectKind: "person",
        objectId: people.mira.id,
        reason: "asked_you",
        actors: [people.mira.id],
        mailAt: clock.at,
      });
    }
    const counts = await Promise.all([mailDue(house), mailDue(house)]);
    expect(counts[0] + counts[1]).toBe(3);
    expect(await mailbox(db)).toHaveLength(3);
  });
});

describe("mail content is checked when it is sent:", () => {
  const outcome = async () => {
    clock.pass(HOUR);
    return { made: await mailDue(house), mails: await mailbox(db), row: (await rows())[0] };
  };
  const nothing = { made: 0, mails: [], row: { mailAt: null, mailedAt: null } };

  test("nothing to a person who has left the private group", async () => {
    await answered();
    await within((tx) => leaveGroup(tx, people.mira, { groupId: group.id }));
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing from blocked people", async () => {
    await answered();
    await within((tx) => block(tx, people.mira, { personId: people.tomas.id }));
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing with filtered words, but everything else that waits there", async () => {
    await answered("The wasps are back.");
    await within((tx) =>
      addFilter(tx, people.mira, NewFilter.parse({ phrase: "wasps", contexts: ["notifications"], action: "collapse", until: null })),
    );
    clock.pass(10 * MINUTE);
    expect(await mailDue(house)).toBe(0);
    await run(db, sql`delete from notifications`);
    const replies = [];
    for (const body of ["And more wasps.", "But the plums are good."])
      replies.push((await aReply(database, people.tomas, discussion.id, { body })).id);
    await told(database, {
      personId: people.mira.id,
      kind: "reply",
      objectKind: "discussion",
      objectId: discussion.id,
      actors: [people.tomas.id],
      items: replies,
      mailAt: clock.at,
    });
    clock.pass(10 * MINUTE);
    expect(await mailDue(house)).toBe(1);
    const [mail] = await mailbox(db);
    expect(mail!.text).toContain("plums");
    expect(mail!.text).not.toContain("wasps");
  });

  test("nothing from a person muted meanwhile", async () => {
    await answered();
    await within((tx) => mutePerson(tx, people.mira, { personId: people.tomas.id, until: null }));
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing that was withdrawn", async () => {
    const id = await answered();
    await within((tx) => deletePost(tx, people.tomas, { postId: id }));
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing to a person who unsubscribed, everything to the others", async () => {
    await answered();
    const token = stopToken(house.signer, people.mira.id, scopeOf("discussion", discussion.id));
    await within((tx) => stopMail(tx, house.signer, token));
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing to a suspended person or one absent for 180 days", async () => {
    await answered();
    await run(db, sql`update people set state = 'suspended' where id = ${people.mira.id}`);
    expect(await outcome()).toEqual(nothing);
    await run(
      db,
      sql`update people set state = 'active', created_at = ${later(clock.at, -400 * DAY)}, seen_at = ${later(clock.at, -181 * DAY)} where id = ${people.mira.id}`,
    );
    await run(db, sql`update notifications set mail_at = ${clock.at}`);
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing to a bouncing address", async () => {
    await answered();
    await countBounce(db, "mira@example.org", 4, clock.at);
    expect(await outcome()).toEqual(nothing);
  });
});

test("the hundred-and-first mail of a day waits and is not lost", async () => {
  await answered();
  await run(
    db,
    sql`insert into mails (id, recipient, subject, body_text, kind, person_id, created_at)
        select gen_random_uuid(), 'mira@example.org', '', '', 'notice', ${people.mira.id}, ${clock.at} from generate_series(1, 100)`,
  );
  clock.pass(10 * MINUTE);
  expect(await mailDue(house)).toBe(0);
  expect((await rows())[0]).toEqual({ mailAt: later(clock.at, HOUR), mailedAt: null });
  clock.pass(DAY);
  expect(await mailDue(house)).toBe(1);
});

test("an error in one person's mail delays no other's", async () => {
  const broken = mailHouse(database, {
    origin: () => {
      throw new Error("not today");
    },
  });
  await answered();
  clock.pass(10 * MINUTE);
  expect(await mailDue(broken)).toBe(0);
  expect((await rows())[0]).toEqual({ mailAt: later(clock.at, HOUR), mailedAt: null });
  clock.pass(HOUR);
  expect(await mailDue(house)).toBe(1);
});
