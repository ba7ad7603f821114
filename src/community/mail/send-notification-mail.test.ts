import { describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { countBounce, listMailbox } from "#platform/mail";
import { deletePost } from "#community/discussions";
import { addWordFilter, sendFriendRequest, blockPerson, mutePerson, NewWordFilter } from "#community/friends";
import { leaveGroup } from "#community/groups";
import { createTestReply, createPerson } from "../../../test/support/test-users.ts";
import { sendNotificationMail } from "./send-notification-mail.ts";
import { createMailContext, insertNotification } from "../../../test/support/mail/mail-context.ts";
import { mailScope, unsubscribeFromMail, signUnsubscribeToken } from "./unsubscribe.ts";
import {
  createReplyNotification,
  clock,
  database,
  db,
  discussion,
  group,
  listSentHeaders,
  app,
  people,
  listDueTimes,
  inTenMinutes,
  within,
} from "../../../test/support/mail/due-mail-setup.ts";

describe("delayed mail", () => {
  test("waits ten minutes, then states author, text and reason, with an unsubscribe link", async () => {
    await createReplyNotification();
    expect(await sendNotificationMail(app)).toBe(0);
    expect(await listMailbox(db)).toEqual([]);
    clock.pass(10 * MINUTE);
    expect(await sendNotificationMail(app)).toBe(1);
    const [mail] = await listMailbox(db, "mira@example.org");
    expect(mail!.subject).toBe("When to sow beans · The Long Beds");
    expect(mail!.text).toContain("Hello Mira,\n\nTomas replied to you.");
    expect(mail!.text).toContain("> After the ice saints.");
    expect(mail!.text).toContain(`https://kith.test/discussions/${discussion.id}?post=2#post-2`);
    expect(mail!.text).toContain("You get this because someone replied to you.");
    expect(mail!.text).toMatch(/Stop emails about this: https:\/\/kith\.test\/unsubscribe\/[\w-]+$/);
    expect((await listDueTimes())[0]!.mailedAt).toEqual(clock.at);
    expect(await sendNotificationMail(app)).toBe(0);
  });

  test("stays unsent if the notification was read", async () => {
    await createReplyNotification();
    await run(db, sql`update notifications set read_at = ${clock.at}`);
    clock.pass(HOUR);
    expect(await sendNotificationMail(app)).toBe(0);
    expect(await listMailbox(db)).toEqual([]);
  });

  test("omits posts that its recipient can no longer see", async () => {
    await insertNotification(database, {
      personId: people.mira.id,
      kind: "group_request",
      objectKind: "group",
      objectId: group.id,
      reason: "you_lead",
      actors: [people.noor.id],
      mailAt: inTenMinutes(),
    });
    clock.pass(10 * MINUTE);
    expect(await sendNotificationMail(app)).toBe(0);
    expect(await listDueTimes()).toEqual([{ mailAt: null, mailedAt: null }]);
  });

  test("combines all pending notifications of a discussion, even those delayed longer", async () => {
    const first = await createReplyNotification("One.");
    clock.pass(9 * MINUTE);
    const { id } = await createTestReply(database, people.tomas, discussion.id, { body: "@mira, two." });
    await insertNotification(database, {
      personId: people.mira.id,
      kind: "mention",
      objectKind: "discussion",
      objectId: discussion.id,
      reason: "mentioned",
      actors: [people.tomas.id],
      items: [id, first],
      mailAt: inTenMinutes(),
    });
    clock.pass(MINUTE);
    expect(await sendNotificationMail(app)).toBe(1);
    const [mail] = await listMailbox(db);
    expect(mail!.text).toContain("Tomas mentioned you.");
    expect(mail!.text.match(/^> /gm)).toHaveLength(2);
    expect((await listDueTimes()).every(({ mailedAt }) => mailedAt !== null)).toBe(true);
  });

  test("continues the thread of the previous mail and contains only new posts", async () => {
    await createReplyNotification("One.");
    clock.pass(10 * MINUTE);
    await sendNotificationMail(app);
    clock.pass(MINUTE);
    const { id } = await createTestReply(database, people.tomas, discussion.id, { body: "Two." });
    await run(
      db,
      sql`update notifications set items = array[${id}::uuid] || items, latest_id = ${id},
        mailed_before = mailed_at, mailed_at = null, mail_at = ${clock.at}, updated_at = ${clock.at}`,
    );
    expect(await sendNotificationMail(app)).toBe(1);
    const [newest] = await listMailbox(db);
    expect(newest!.text).toContain("> Two.");
    expect(newest!.text).not.toContain("> One.");
    const [a, b] = await listSentHeaders();
    expect(a!.headers.inReplyTo).toBe(b!.headers.inReplyTo);
    expect(a!.id).not.toBe(b!.id);
    expect(a!.headers.list).toEqual({ id: `${discussion.id}.discussions`, name: "When to sow beans" });
  });

  test("reaches its recipient once although two processes run at the same moment", async () => {
    for (const n of [1, 2, 3]) {
      const reader = await within((tx) => createPerson(tx, `reader${n}`));
      await within((tx) => sendFriendRequest(tx, people.mira, { personId: reader.id, note: "" }));
      await insertNotification(database, {
        personId: reader.id,
        kind: "friend_request",
        objectKind: "person",
        objectId: people.mira.id,
        reason: "asked_you",
        actors: [people.mira.id],
        mailAt: clock.at,
      });
    }
    const counts = await Promise.all([sendNotificationMail(app), sendNotificationMail(app)]);
    expect(counts[0] + counts[1]).toBe(3);
    expect(await listMailbox(db)).toHaveLength(3);
  });
});

describe("notification mail", () => {
  const outcome = async () => {
    clock.pass(HOUR);
    return {
      made: await sendNotificationMail(app),
      mails: await listMailbox(db),
      row: (await listDueTimes())[0],
    };
  };
  const nothing = { made: 0, mails: [], row: { mailAt: null, mailedAt: null } };

  test("stays unsent for a person who has left the private group", async () => {
    await createReplyNotification();
    await within((tx) => leaveGroup(tx, people.mira, { groupId: group.id }));
    expect(await outcome()).toEqual(nothing);
  });

  test("contains nothing from blocked people", async () => {
    await createReplyNotification();
    await within((tx) => blockPerson(tx, people.mira, { personId: people.tomas.id }));
    expect(await outcome()).toEqual(nothing);
  });

  test("contains no post with filtered words, but all other pending content", async () => {
    await createReplyNotification("The wasps are back.");
    await within((tx) =>
      addWordFilter(
        tx,
        people.mira,
        NewWordFilter.parse({
          phrase: "wasps",
          contexts: ["notifications"],
          action: "collapse",
          until: null,
        }),
      ),
    );
    clock.pass(10 * MINUTE);
    expect(await sendNotificationMail(app)).toBe(0);
    await run(db, sql`delete from notifications`);
    const replies = [];
    for (const body of ["And more wasps.", "But the plums are good."])
      replies.push((await createTestReply(database, people.tomas, discussion.id, { body })).id);
    await insertNotification(database, {
      personId: people.mira.id,
      kind: "reply",
      objectKind: "discussion",
      objectId: discussion.id,
      actors: [people.tomas.id],
      items: replies,
      mailAt: clock.at,
    });
    clock.pass(10 * MINUTE);
    expect(await sendNotificationMail(app)).toBe(1);
    const [mail] = await listMailbox(db);
    expect(mail!.text).toContain("plums");
    expect(mail!.text).not.toContain("wasps");
  });

  test("contains nothing from a person muted meanwhile", async () => {
    await createReplyNotification();
    await within((tx) => mutePerson(tx, people.mira, { personId: people.tomas.id, until: null }));
    expect(await outcome()).toEqual(nothing);
  });

  test("contains nothing that was withdrawn", async () => {
    const id = await createReplyNotification();
    await within((tx) => deletePost(tx, people.tomas, { postId: id }));
    expect(await outcome()).toEqual(nothing);
  });

  test("stays unsent for a person who unsubscribed, but reaches everyone else", async () => {
    await createReplyNotification();
    const token = signUnsubscribeToken(app.signer, people.mira.id, mailScope("discussion", discussion.id));
    await within((tx) => unsubscribeFromMail(tx, app.signer, token));
    expect(await outcome()).toEqual(nothing);
  });

  test("stays unsent for people who are suspended or absent for 180 days", async () => {
    await createReplyNotification();
    await run(db, sql`update people set state = 'suspended' where id = ${people.mira.id}`);
    expect(await outcome()).toEqual(nothing);
    await run(
      db,
      sql`update people set state = 'active', created_at = ${addMilliseconds(clock.at, -400 * DAY)},
        seen_at = ${addMilliseconds(clock.at, -181 * DAY)} where id = ${people.mira.id}`,
    );
    await run(db, sql`update notifications set mail_at = ${clock.at}`);
    expect(await outcome()).toEqual(nothing);
  });

  test("stays unsent for a bouncing address", async () => {
    await createReplyNotification();
    await countBounce(db, "mira@example.org", 4, clock.at);
    expect(await outcome()).toEqual(nothing);
  });
});

test("the hundred-and-first mail of a day is delayed and not lost", async () => {
  await createReplyNotification();
  await run(
    db,
    sql`insert into mails (id, recipient, subject, body_text, kind, person_id, created_at)
        select gen_random_uuid(), 'mira@example.org', '', '', 'notice', ${people.mira.id}, ${clock.at}
        from generate_series(1, 100)`,
  );
  clock.pass(10 * MINUTE);
  expect(await sendNotificationMail(app)).toBe(0);
  expect((await listDueTimes())[0]).toEqual({ mailAt: addMilliseconds(clock.at, HOUR), mailedAt: null });
  clock.pass(DAY);
  expect(await sendNotificationMail(app)).toBe(1);
});

test("an error in one person's mail does not delay the mail of other people", async () => {
  const broken = createMailContext(database, {
    origin: () => {
      throw new Error("not today");
    },
  });
  await createReplyNotification();
  clock.pass(10 * MINUTE);
  expect(await sendNotificationMail(broken)).toBe(0);
  expect((await listDueTimes())[0]).toEqual({ mailAt: addMilliseconds(clock.at, HOUR), mailedAt: null });
  clock.pass(HOUR);
  expect(await sendNotificationMail(app)).toBe(1);
});
