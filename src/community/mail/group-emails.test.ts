import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { listMailbox, renderEmailText } from "#platform/mail";
import { sendNotificationMail } from "./send-notification-mail.ts";
import { insertNotification } from "../../../test/support/mail/mail-context.ts";
import {
  createReplyNotification,
  clock,
  database,
  db,
  group,
  app,
  people,
} from "../../../test/support/mail/due-mail-setup.ts";

describe("mail about groups and people", () => {
  test.each([
    ["group_invitation", "Tomas invites you to The Long Beds.", "group", ""],
    ["group_request", "Tomas requested to join The Long Beds.", "group", ""],
    ["group_decision", "you are a member of The Long Beds now. Welcome!", "group", "join_approved"],
    ["group_decision", "your request to join The Long Beds was rejected.", "group", "declined"],
    ["group_role", "your role in The Long Beds is now: moderator.", "group", "moderator"],
    ["group_archived", "The Long Beds was archived.", "group", ""],
    ["group_decision", "your group The Long Beds was approved: now others can join.", "group", "approved"],
    ["group_decision", "your group The Long Beds was rejected.", "group", "rejected"],
    [
      "group_decision",
      "the admins decided not to appoint a new owner of The Long Beds",
      "group",
      "owner_request_declined",
    ],
    ["group_appeal", "someone who is banned from The Long Beds has appealed.", "group", ""],
    ["friend_request", "Tomas sent you a friend request.", "person", ""],
    ["friend_accepted", "Tomas and you are friends now.", "person", ""],
  ] as const)("contains for “%s” the text “%s”", async (kind, words, objectKind, detail) => {
    const objectId = objectKind === "group" ? group.id : people.tomas.id;
    if (kind === "group_request" || kind === "group_appeal" || detail === "owner_request_declined")
      await run(db, sql`update memberships set role = 'moderator' where person_id = ${people.mira.id}`);
    await insertNotification(database, {
      personId: people.mira.id,
      kind,
      objectKind,
      objectId,
      reason: "you_asked",
      detail,
      actors: kind === "group_decision" || kind === "group_appeal" ? [] : [people.tomas.id],
      mailAt: clock.at,
    });
    expect(await sendNotificationMail(app)).toBe(1);
    const [mail] = await listMailbox(db);
    expect(mail!.text).toContain(words);
    if (kind === "group_appeal")
      expect(mail!.text).toContain(`https://kith.test/groups/${group.slug}/manage/members`);
    if (kind === "friend_request") expect(mail!.text).toContain("https://kith.test/myFriends?tab=received");
    expect(mail!.letter && renderEmailText(mail!.letter)).not.toMatch(/\{|undefined/);
  });

  test.each(["private", "secret"] as const)(
    "states the removal reason to a member of a %s group, with a link they may open",
    async (visibility) => {
      await run(
        db,
        sql`update groups set visibility = ${visibility}, join_policy = 'invite', name = 'Beds in the dark'`,
      );
      await run(db, sql`update memberships set state = 'removed' where person_id = ${people.mira.id}`);
      await insertNotification(database, {
        personId: people.mira.id,
        kind: "group_decision",
        objectKind: "group",
        objectId: group.id,
        reason: "about_you",
        detail: "removed",
        keptName: "The Long Beds",
        words: "Shouting {names}.",
        mailAt: clock.at,
      });
      expect(await sendNotificationMail(app)).toBe(1);
      const [mail] = await listMailbox(db);
      expect(mail!.subject).toBe("The Long Beds");
      expect(mail!.text).toContain("you were removed from The Long Beds.");
      expect(mail!.text).toContain("Reason: Shouting {names}.");
      expect(mail!.text).toContain("You get this because it is about you.");
      expect(mail!.text).toContain(
        visibility === "private" ? `https://kith.test/groups/${group.slug}` : "https://kith.test/groups",
      );
      expect(mail!.text.includes(group.slug)).toBe(visibility === "private");
      expect(JSON.stringify(mail)).not.toContain("Beds in the dark");
    },
  );

  test("states the end date to a banned member", async () => {
    const until = new Date("2030-05-04T09:00:00Z");
    const about = {
      kind: "group_decision",
      objectKind: "group",
      objectId: group.id,
      reason: "about_you",
      keptName: "The Long Beds",
    } as const;
    await insertNotification(database, {
      ...about,
      personId: people.mira.id,
      detail: "banned",
      moment: until,
      mailAt: clock.at,
    });
    await insertNotification(database, {
      ...about,
      personId: people.noor.id,
      detail: "banned",
      mailAt: clock.at,
    });
    await insertNotification(database, {
      ...about,
      personId: people.ada.id,
      detail: "ban_ended",
      mailAt: clock.at,
    });
    await insertNotification(database, {
      ...about,
      personId: people.ines.id,
      detail: "appeal_declined",
      moment: until,
      mailAt: clock.at,
    });
    expect(await sendNotificationMail(app)).toBe(4);
    const mailText = (await listMailbox(db)).map(({ text }) => text).join();
    for (const words of [
      "banned from The Long Beds until May 4, 2030",
      "you were banned from The Long Beds.",
      "no longer banned from The Long Beds.",
      "your ban appeal in The Long Beds was rejected.",
    ])
      expect(mailText).toContain(words);
    expect(mailText).not.toContain("Reason:");
    expect(mailText.split(`https://kith.test/groups/${group.id}/appeal`)).toHaveLength(4);
  });

  test.each([
    ["public", "everyone can find it and read new posts."],
    ["private", "Only its members can read it."],
  ])("states the date of a scheduled visibility change (%s)", async (detail, words) => {
    const moment = new Date("2030-05-04T09:00:00Z");
    const about = {
      kind: "group_opening",
      objectKind: "group",
      objectId: group.id,
      reason: "member",
      detail,
      moment,
    } as const;
    await run(
      db,
      sql`update groups set wider_at = ${moment}, wider_visibility = 'public', wider_join_policy = 'open'`,
    );
    await insertNotification(database, { ...about, personId: people.mira.id, mailAt: clock.at });
    await insertNotification(database, { ...about, personId: people.noor.id, mailAt: clock.at });
    expect(await sendNotificationMail(app)).toBe(1);
    const [mail] = await listMailbox(db);
    expect(mail!.text).toContain("the visibility of The Long Beds changes: from May 4, 2030");
    expect(mail!.text).toContain(words);
  });

  test("names a deleted group without a link", async () => {
    await run(
      db,
      sql`update groups set state = 'deleted', deleted_at = ${clock.at}, deleted_by = ${people.tomas.id}`,
    );
    const about = {
      kind: "group_archived",
      objectKind: "group",
      objectId: group.id,
      reason: "member",
      detail: "deleted",
    } as const;
    await insertNotification(database, {
      ...about,
      personId: people.mira.id,
      keptName: "The Long Beds",
      mailAt: clock.at,
    });
    expect(await sendNotificationMail(app)).toBe(1);
    const [mail] = await listMailbox(db);
    expect(mail!.text).toContain("The Long Beds was deleted.");
    expect(mail!.text).not.toContain(group.slug);
  });

  test("contains only one notification about a group", async () => {
    const about = {
      objectKind: "group",
      objectId: group.id,
      reason: "member",
      personId: people.mira.id,
      mailAt: clock.at,
    } as const;
    await insertNotification(database, {
      ...about,
      kind: "group_role",
      detail: "moderator",
      actors: [people.tomas.id],
    });
    await insertNotification(database, { ...about, kind: "group_archived" });
    expect(await sendNotificationMail(app)).toBe(2);
    const mailText = (await listMailbox(db)).map(({ text }) => text).join();
    for (const words of ["your role in The Long Beds is now: moderator.", "The Long Beds was archived."])
      expect(mailText).toContain(words);
  });

  test("uses the recipient's language and time zone", async () => {
    await run(
      db,
      sql`update people set locale = 'de', time_zone = 'Asia/Tokyo' where id = ${people.mira.id}`,
    );
    await createReplyNotification();
    clock.pass(10 * MINUTE);
    await sendNotificationMail(app);
    const [mail] = await listMailbox(db);
    expect(mail!.letter!.language).toBe("de");
    expect(mail!.text).toContain("Tomas hat dir geantwortet.");
    expect(mail!.text).toContain("18:00");
  });
});
