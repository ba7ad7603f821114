import { expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { reportPost } from "#community/moderation";
import { sendNotificationMail } from "./send-notification-mail.ts";
import { createTestReply, setMembership } from "../../../test/support/test-users.ts";
import { insertNotification } from "../../../test/support/mail/mail-context.ts";
import {
  createReplyNotification,
  clock,
  database,
  db,
  discussion,
  group,
  app,
  people,
  within,
} from "../../../test/support/mail/due-mail-setup.ts";

test("the author of a removed post gets a separate mail with the reason", async () => {
  await createReplyNotification();
  await insertNotification(database, {
    personId: people.mira.id,
    kind: "post_removed",
    objectKind: "discussion",
    objectId: discussion.id,
    reason: "your_post",
    actors: [],
    keptName: "When to sow beans",
    words: "Off topic.",
    mailAt: clock.at,
  });
  clock.pass(10 * MINUTE);
  expect(await sendNotificationMail(app)).toBe(2);
  const mail = (await listMailbox(db)).find(({ subject }) => subject === "When to sow beans")!;
  expect(mail.text).toContain("“When to sow beans”: your post there was removed by a moderator.");
  expect(mail.text).toContain("Reason: Off topic.");
  expect(mail.text).toMatch(/https:\/\/kith\.test\/notifications\/[\w-]+/);
  expect(mail.text).toContain("You get this because you wrote it.");
});

test("the starter of a discussion deleted by others gets a mail with the reason", async () => {
  await insertNotification(database, {
    personId: people.mira.id,
    kind: "post_removed",
    detail: "discussion",
    objectKind: "discussion",
    objectId: discussion.id,
    reason: "your_post",
    actors: [],
    keptName: "When to sow beans",
    words: "Off topic.",
    mailAt: clock.at,
  });
  clock.pass(10 * MINUTE);
  await sendNotificationMail(app);
  const mail = (await listMailbox(db)).find(({ subject }) => subject === "When to sow beans")!;
  expect(mail.text).toContain("your discussion “When to sow beans” was deleted by a moderator.");
  expect(mail.text).toContain("You can appeal once, within 20 days: open the page below.");
  expect(mail.text).toContain("Reason: Off topic.");
});

test.each([
  ["edited", "Tomas edited your post in “When to sow beans”."],
  ["restored", "“When to sow beans”: your post there is visible again."],
  ["discussion-restored", "your discussion “When to sow beans” was restored."],
])("the author gets a mail with the reason for a change by others (%s)", async (detail, words) => {
  await insertNotification(database, {
    personId: people.mira.id,
    kind: "changed",
    detail,
    objectKind: "discussion",
    objectId: discussion.id,
    reason: "your_post",
    actors: detail === "edited" ? [people.tomas.id] : [],
    words: "It was on topic.",
    mailAt: clock.at,
  });
  clock.pass(10 * MINUTE);
  await sendNotificationMail(app);
  const mail = (await listMailbox(db)).findLast(({ text }) => text.includes(words))!;
  expect(mail.subject).toBe("When to sow beans");
  expect(mail.text).toContain("Reason: It was on topic.");
  expect(mail.text).toMatch(/https:\/\/kith\.test\/notifications\/[\w-]+/);
});

test("the author of a post hidden after several reports gets a mail without a reason", async () => {
  await createReplyNotification();
  await insertNotification(database, {
    personId: people.mira.id,
    kind: "post_removed",
    detail: "hidden",
    objectKind: "discussion",
    objectId: discussion.id,
    reason: "your_post",
    actors: [],
    keptName: "When to sow beans",
    mailAt: clock.at,
  });
  clock.pass(10 * MINUTE);
  await sendNotificationMail(app);
  const mail = (await listMailbox(db)).find(({ subject }) => subject === "When to sow beans")!;
  expect(mail.text).toContain(
    "several people reported your post there. It is hidden until a moderator has reviewed it.",
  );
  expect(mail.text).not.toContain("Reason:");
});

test.each([
  ["approved", "your post was approved."],
  ["returned", "your post was returned to you. Edit it and send it again."],
])("the author of a pending post gets a mail with the decision (%s)", async (detail, words) => {
  await createReplyNotification();
  await insertNotification(database, {
    personId: people.mira.id,
    kind: "post_decided",
    detail,
    objectKind: "discussion",
    objectId: discussion.id,
    reason: "your_post",
    actors: [],
    keptName: "When to sow beans",
    ...(detail === "returned" && { words: "Complete your profile." }),
    mailAt: clock.at,
  });
  clock.pass(10 * MINUTE);
  await sendNotificationMail(app);
  const mail = (await listMailbox(db)).find(({ subject }) => subject === "When to sow beans")!;
  expect(mail.text).toContain(`“When to sow beans”: ${words}`);
  expect(mail.text.includes("Reason: Complete your profile.")).toBe(detail === "returned");
});

test("the owner of a returned resource gets a mail with the reason, and no appeal", async () => {
  await insertNotification(database, {
    personId: people.mira.id,
    kind: "post_decided",
    detail: "returned published resource",
    objectKind: "resource",
    objectId: discussion.id,
    reason: "your_post",
    actors: [],
    keptName: "Bean prices",
    words: "No shops.",
    mailAt: clock.at,
  });
  clock.pass(10 * MINUTE);
  await sendNotificationMail(app);
  const mail = (await listMailbox(db)).find(({ subject }) => subject === "Bean prices")!;
  expect(mail.text).toContain("a moderator asks you to change your resource “Bean prices”.");
  expect(mail.text).toContain("Reason: No shops.");
  expect(mail.text).toContain("A person made this decision, not a program.");
  expect(mail.text).not.toContain("20 days");
});

test("moderators get a mail with a link to a pending post, but without its text", async () => {
  await run(
    db,
    sql`insert into pending_posts (id, author_id, discussion_id, said, body_html, created_at)
        select gen_random_uuid(), ${people.noor.id}, ${discussion.id}, '{"body":"Buy my beans."}',
          'Buy my beans.', ${clock.at}`,
  );
  await insertNotification(database, {
    personId: people.tomas.id,
    kind: "post_waits",
    objectKind: "group",
    objectId: group.id,
    reason: "you_lead",
    actors: [],
    mailAt: clock.at,
  });
  clock.pass(10 * MINUTE);
  await sendNotificationMail(app);
  const mail = (await listMailbox(db)).find(({ text }) =>
    text.includes("a post of a new member in The Long Beds awaits your approval."),
  )!;
  expect(mail.text).toMatch(/https:\/\/kith\.test\/groups\/[\w-]+\/manage\/posts/);
  expect(mail.text).not.toContain("Buy my beans");
});

test("the author of an appeal gets a mail with the decision and the reason", async () => {
  const about = {
    kind: "report_decision" as const,
    objectKind: "report" as const,
    mailAt: clock.at,
    reason: "you_asked" as const,
  };
  const { id: postId } = await createTestReply(database, people.tomas, discussion.id, {
    body: "Buy my beans.",
  });
  const { id } = await within((tx) => reportPost(tx, people.mira, { postId, reason: "It sells beans." }));
  await run(db, sql`update reports set appeal = true, resolved_at = ${clock.at}, outcome = 'rejected'`);
  await insertNotification(database, {
    ...about,
    objectId: id,
    personId: people.mira.id,
    detail: "appeal rejected",
    words: "It was a shop.",
  });
  await sendNotificationMail(app);
  const mail = (await listMailbox(db)).find(({ subject }) => subject === "Decision on your appeal")!;
  expect(mail.text).toContain("your appeal was rejected: the removal was upheld.");
  expect(mail.text).toContain("Reason: It was a shop.");
  expect(mail.text).toContain("https://kith.test/reports");
});

test("moderators get a mail about a report with the group's name and without the reported text", async () => {
  await within((tx) => setMembership(tx, group.id, people.noor, "moderator"));
  const { id: postId } = await createTestReply(database, people.tomas, discussion.id, {
    body: "Buy my beans.",
  });
  const { id } = await within((tx) => reportPost(tx, people.mira, { postId, reason: "It sells beans." }));
  const about = { kind: "report" as const, objectKind: "report" as const, objectId: id, mailAt: clock.at };
  await insertNotification(database, { ...about, personId: people.noor.id, reason: "you_lead" });
  await insertNotification(database, { ...about, personId: people.ines.id, reason: "staff" });
  expect(await sendNotificationMail(app)).toBe(2);
  const [leads] = await listMailbox(db, "noor@example.org");
  expect(leads!.text).toContain("there is a new report for you to review.");
  expect(leads!.text).toContain(`https://kith.test/moderation/${id}`);
  expect(leads!.text).toContain("You get this because you moderate The Long Beds.");
  const [staff] = await listMailbox(db, "ines@example.org");
  expect(staff!.text).toContain("You get this because you are staff.");
  for (const { text } of [leads!, staff!]) expect(text).not.toMatch(/beans/);
});
