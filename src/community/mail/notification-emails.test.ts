import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { sendMessage, startConversation } from "#community/conversations";
import { createBot, toBotViewer } from "#community/bots";
import { NewReply, reply } from "#community/discussions";
import { createAnnouncement, NewAnnouncement } from "#community/notifications";
import { sendNotificationMail } from "./send-notification-mail.ts";
import { createMailContext, insertNotification } from "../../../test/support/mail/mail-context.ts";
import { getUnsubscribeState, unsubscribeFromMail } from "./unsubscribe.ts";
import {
  createReplyNotification,
  clock,
  discussion,
  group,
  database,
  db,
  listSentHeaders,
  app,
  people,
  within,
} from "../../../test/support/mail/due-mail-setup.ts";

test("mail about a post of a bot names and marks the bot", async () => {
  const bot = await within((tx) => createBot(tx, people.tomas, { groupId: group.id, name: "Builds" }));
  const post = NewReply.parse({ discussionId: discussion.id, body: "Build 12 passed." });
  const { id } = await within((tx) => reply(tx, toBotViewer(bot.id), post));
  await insertNotification(database, {
    personId: people.mira.id,
    kind: "new_reply",
    objectKind: "discussion",
    objectId: discussion.id,
    actors: [bot.id],
    items: [id],
    mailAt: clock.at,
  });
  expect(await sendNotificationMail(app)).toBe(1);
  const [mail] = await listMailbox(db);
  expect(mail!.text).toContain("Builds (bot) wrote a new reply.");
  expect(mail!.text).toContain("Build 12 passed.");
});

describe("mail about a conversation", () => {
  const wrote = async (kind: "message" | "message_request") => {
    const { id } = await within((tx) =>
      startConversation(tx, people.tomas, {
        to: ["mira"],
        body: "Are you there?",
        name: "",
        clientId: undefined,
      }),
    );
    await insertNotification(database, {
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

  test("contains the messages, except for those of a message request", async () => {
    const id = await wrote("message_request");
    expect(await sendNotificationMail(app)).toBe(1);
    expect((await listMailbox(db))[0]!.text).toContain("sent you a message request");
    expect((await listMailbox(db))[0]!.text).not.toContain("Are you there?");
    await within((tx) =>
      sendMessage(tx, people.mira, { conversationId: id, body: "Yes.", clientId: undefined }),
    );
    await within((tx) =>
      sendMessage(tx, people.tomas, { conversationId: id, body: "Good.\n\nCome over.", clientId: undefined }),
    );
    await insertNotification(database, {
      personId: people.mira.id,
      kind: "message",
      objectKind: "conversation",
      objectId: id,
      reason: "participant",
      actors: [people.tomas.id],
      mailAt: clock.at,
    });
    clock.pass(MINUTE);
    expect(await sendNotificationMail(app)).toBe(1);
    const [mail] = await listMailbox(db);
    expect(mail!.subject).toBe("Message from Tomas");
    expect(mail!.text).toContain("> Good.\n>\n> Come over.");
    expect(mail!.text).not.toContain("Yes.");
  });

  test("uses one reply address per conversation or discussion, if replies are enabled", async () => {
    const replyable = createMailContext(database, { replyBox: "reply@kith.test" });
    const id = await wrote("message");
    await createReplyNotification();
    clock.pass(10 * MINUTE);
    expect(await sendNotificationMail(replyable)).toBe(2);
    const addresses = (await listSentHeaders()).map(({ headers }) => headers.replyTo);
    for (const address of addresses) expect(address).toMatch(/^reply\+[a-z2-7]{24}@kith\.test$/);
    expect(new Set(addresses).size).toBe(2);
    expect((await listMailbox(db))[0]!.text).toContain("Reply to this email");
    expect(
      await one(
        db,
        sql`select count(*)::int as n from reply_addresses
          where place_id = ${id} and person_id = ${people.mira.id}`,
      ),
    ).toEqual({ n: 1 });
  });
});

test("an announcement is mailed with its text and an unsubscribe link for announcements", async () => {
  const { id } = await within((tx) =>
    createAnnouncement(
      tx,
      people.ada,
      NewAnnouncement.parse({ title: "The gate is closed", body: "From *Monday* on.\n\nUse the other one." }),
    ),
  );
  const announced = () =>
    insertNotification(database, {
      personId: people.mira.id,
      kind: "announcement",
      objectKind: "announcement",
      objectId: id,
      reason: "everybody",
      actors: [people.ada.id],
      mailAt: clock.at,
    });
  await announced();
  expect(await sendNotificationMail(app)).toBe(1);
  const [mail] = await listMailbox(db);
  expect(mail!.subject).toBe("The gate is closed");
  expect(mail!.text).toContain("> From Monday on.\n>\n> Use the other one.");
  expect(mail!.text).toContain("Everyone in Kith gets this.");
  expect(mail!.text).toContain(`https://kith.test/announcements/${id}`);
  const token = /unsubscribe\/([\w-]+)$/.exec(mail!.text)![1]!;
  expect(await getUnsubscribeState(db, app.signer, token)).toMatchObject({ scope: "kind:announcement" });
  await within((tx) => unsubscribeFromMail(tx, app.signer, token));
  await run(db, sql`delete from notifications`);
  await announced();
  expect(await sendNotificationMail(app)).toBe(0);
});
