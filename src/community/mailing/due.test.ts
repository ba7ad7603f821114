import { beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, later, MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { countBounce, mailbox, type MailHeaders, textOf } from "#platform/mail";
import { sendMessage, startConversation } from "#community/conversations";
import { deletePost } from "#community/discussions";
import { askFriend, block, mutePerson } from "#community/friends";
import { announceToAll, NewAnnouncement } from "#community/notifications";
import { leaveGroup } from "#community/groups";
import { aDiscussion, aGroup, aReply, cast, type Cast, person } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { mailDue } from "./due.ts";
import { mailHouse, told } from "../../../test/mail-house.ts";
import type { MailHouse } from "./house.ts";
import { scopeOf, stopFor, stopMail, stopToken } from "./stopping.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
let people: Cast;
let house: MailHouse;
let group: Awaited<ReturnType<typeof aGroup>>;
let discussion: Awaited<ReturnType<typeof aDiscussion>>;
beforeEach(async () => {
  house = mailHouse(database);
  people = await cast(database);
  group = await aGroup(database, people, { visibility: "private" });
  discussion = await aDiscussion(database, people.mira, group.id);
});

const soon = () => later(clock.at, 10 * MINUTE);
/** Tomas answers, and Mira is told of it. */
async function answered(body = "After the ice saints.") {
  const { id } = await aReply(database, people.tomas, discussion.id, { body });
  await told(database, {
    personId: people.mira.id,
    kind: "reply",
    objectKind: "discussion",
    objectId: discussion.id,
    actors: [people.tomas.id],
    items: [id],
    mailAt: soon(),
  });
  return id;
}
const rows = () =>
  many(
    db,
    sql<{ mailAt: Date | null; mailedAt: Date | null }>`select mail_at as "mailAt", mailed_at as "mailedAt" from notifications order by id`,
  );
const heads = () =>
  many(
    db,
    sql<{
      id: string;
      headers: MailHeaders;
      person: string;
    }>`select message_id as id, headers, person_id as person from mails order by created_at, id`,
  );

describe("mail that is held", () => {
  test("waits for its time, then says who wrote what, why, and how to end it", async () => {
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

  test("is cancelled by reading", async () => {
    await answered();
    await run(db, sql`update notifications set read_at = ${clock.at}`);
    clock.pass(HOUR);
    expect(await mailDue(house)).toBe(0);
    expect(await mailbox(db)).toEqual([]);
  });

  test("is one for a discussion, with everything that waits there, also what was held for longer", async () => {
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

  test("stands with the mail before it, and tells only what is new", async () => {
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

  test("comes once, though two look at the same moment", async () => {
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

describe("what a mail may tell is asked when it is sent:", () => {
  const outcome = async () => {
    clock.pass(HOUR);
    return { made: await mailDue(house), mails: await mailbox(db), row: (await rows())[0] };
  };
  const nothing = { made: 0, mails: [], row: { mailAt: null, mailedAt: null } };

  test("nothing to who has left the private group", async () => {
    await answered();
    await within((tx) => leaveGroup(tx, people.mira, { groupId: group.id }));
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing of who is parted by a block", async () => {
    await answered();
    await within((tx) => block(tx, people.mira, { personId: people.tomas.id }));
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing of who was muted meanwhile", async () => {
    await answered();
    await within((tx) => mutePerson(tx, people.mira, { personId: people.tomas.id, until: null }));
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing of what was taken back", async () => {
    const id = await answered();
    await within((tx) => deletePost(tx, people.tomas, { postId: id }));
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing to who has ended it, and to nobody else less", async () => {
    await answered();
    const token = stopToken(house.signer, people.mira.id, scopeOf("discussion", discussion.id));
    await within((tx) => stopMail(tx, house.signer, token));
    expect(await outcome()).toEqual(nothing);
  });

  test("nothing to who is suspended, and to who has not been here for 180 days", async () => {
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

  test("nothing to an address that sends mail back", async () => {
    await answered();
    await countBounce(db, "mira@example.org", 4, clock.at);
    expect(await outcome()).toEqual(nothing);
  });
});

test("after a hundred mails in a day the next waits, and is not lost", async () => {
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

test("what goes wrong with one person's mail holds up nobody else's", async () => {
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

describe("mail about a conversation", () => {
  const wrote = async (kind: "message" | "message_request") => {
    const { id } = await within((tx) =>
      startConversation(tx, people.tomas, { to: ["mira"], body: "Are you there?", name: "", clientId: undefined }),
    );
    await told(database, {
      personId: people.mira.id,
      kind,
      objectKind: "conversation",
      objectId: id,
      reason: "participant",
      actors: [people.tomas.id],
      mailAt: clock.at,
    });
    return id;
  };

  test("has the messages; one of somebody unknown has not their words", async () => {
    const id = await wrote("message_request");
    expect(await mailDue(house)).toBe(1);
    expect((await mailbox(db))[0]!.text).toContain("would like to write with you");
    expect((await mailbox(db))[0]!.text).not.toContain("Are you there?");
    await within((tx) => sendMessage(tx, people.mira, { conversationId: id, body: "Yes.", clientId: undefined }));
    await within((tx) => sendMessage(tx, people.tomas, { conversationId: id, body: "Good.\n\nCome over.", clientId: undefined }));
    await told(database, {
      personId: people.mira.id,
      kind: "message",
      objectKind: "conversation",
      objectId: id,
      reason: "participant",
      actors: [people.tomas.id],
      mailAt: clock.at,
    });
    clock.pass(MINUTE);
    expect(await mailDue(house)).toBe(1);
    const [mail] = await mailbox(db);
    expect(mail!.subject).toBe("Message from Tomas");
    expect(mail!.text).toContain("> Good.\n>\n> Come over.");
    expect(mail!.text).not.toContain("Yes.");
  });

  test("names an address to answer to where there is a box for it: the same each time, and one for each place", async () => {
    house = mailHouse(database, { replyBox: "reply@kith.test" });
    const id = await wrote("message");
    await answered();
    clock.pass(10 * MINUTE);
    expect(await mailDue(house)).toBe(2);
    const addresses = (await heads()).map(({ headers }) => headers.replyTo);
    for (const address of addresses) expect(address).toMatch(/^reply\+[a-z2-7]{24}@kith\.test$/);
    expect(new Set(addresses).size).toBe(2);
    expect((await mailbox(db))[0]!.text).toContain("If you answer this mail");
    expect(
      await one(db, sql`select count(*)::int as n from reply_addresses where place_id = ${id} and person_id = ${people.mira.id}`),
    ).toEqual({ n: 1 });
  });
});

test("an announcement is mailed with its words, and can be ended for all that come", async () => {
  const { id } = await within((tx) =>
    announceToAll(tx, people.ada, NewAnnouncement.parse({ title: "The gate is closed", body: "From *Monday* on.\n\nUse the other one." })),
  );
  const announced = () =>
    told(database, {
      personId: people.mira.id,
      kind: "announcement",
      objectKind: "announcement",
      objectId: id,
      reason: "everybody",
      actors: [people.ada.id],
      mailAt: clock.at,
    });
  await announced();
  expect(await mailDue(house)).toBe(1);
  const [mail] = await mailbox(db);
  expect(mail!.subject).toBe("The gate is closed");
  expect(mail!.text).toContain("> From Monday on.\n>\n> Use the other one.");
  expect(mail!.text).toContain("Everybody in Kith gets this.");
  expect(mail!.text).toContain(`https://kith.test/announcements/${id}`);
  const token = /unsubscribe\/([\w-]+)$/.exec(mail!.text)![1]!;
  expect(await stopFor(db, house.signer, token)).toMatchObject({ scope: "kind:announcement" });
  await within((tx) => stopMail(tx, house.signer, token));
  await run(db, sql`delete from notifications`);
  await announced();
  expect(await mailDue(house)).toBe(0);
});

describe("mail about groups and people", () => {
  test.each([
    ["group_invitation", "Tomas invites you to The Long Beds.", "group", ""],
    ["group_request", "Tomas would like to join The Long Beds.", "group", ""],
    ["group_decision", "you are a member of The Long Beds now. Welcome!", "group", "admitted"],
    ["group_decision", "The Long Beds did not take you in this time.", "group", "declined"],
    ["group_role", "in The Long Beds you are now: moderator.", "group", "moderator"],
    ["group_archived", "The Long Beds was archived.", "group", ""],
    ["friend_request", "Tomas would like to be your friend.", "person", ""],
    ["friend_accepted", "Tomas and you are friends now.", "person", ""],
  ] as const)("%s says “%s”", async (kind, words, objectKind, detail) => {
    const objectId = objectKind === "group" ? group.id : people.tomas.id;
    await told(database, {
      personId: people.mira.id,
      kind,
      objectKind,
      objectId,
      reason: "you_asked",
      detail,
      actors: kind === "group_decision" ? [] : [people.tomas.id],
      mailAt: clock.at,
    });
    expect(await mailDue(house)).toBe(1);
    const [mail] = await mailbox(db);
    expect(mail!.text).toContain(words);
    expect(mail!.letter && textOf(mail!.letter)).not.toMatch(/\{|undefined/);
  });

  test("is in the language of whoever gets it, and by their clock", async () => {
    await run(db, sql`update people set locale = 'de', time_zone = 'Asia/Tokyo' where id = ${people.mira.id}`);
    await answered();
    clock.pass(10 * MINUTE);
    await mailDue(house);
    const [mail] = await mailbox(db);
    expect(mail!.letter!.language).toBe("de");
    expect(mail!.text).toContain("Tomas hat dir geantwortet.");
    expect(mail!.text).toContain("18:00");
  });
});
