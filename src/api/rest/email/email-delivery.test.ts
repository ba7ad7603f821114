import { describe, expect, test } from "vitest";
import type { EmailInfo } from "#baas/email";
import { many, run, sql } from "#platform/database";
import { startSmtpServer } from "../../../../test/support/rest/smtp-server.ts";
import {
  clock,
  db,
  deliverQueuedEmail,
  testApi,
  smtpServer,
  refusedAddresses,
  sendEmail,
  serverSdk,
  signInSdk,
  readEmailStatus,
} from "../../../../test/support/rest/email-api.ts";

describe("email delivery", () => {
  test("sends each mail once after an outage of the mail server", async () => {
    const { messageId } = await sendEmail(["mira@example.org", "tomas@example.org"]);
    const { port } = smtpServer;
    await smtpServer.close();
    for (let attempts = 0; attempts < 3; attempts++) await deliverQueuedEmail();
    expect(await readEmailStatus(messageId)).toMatchObject({ status: "scheduled" });
    const back = await startSmtpServer(undefined, port);
    await deliverQueuedEmail(back.url);
    await deliverQueuedEmail(back.url);
    expect(back.handed.flatMap((it) => it.for)).toEqual(["mira@example.org", "tomas@example.org"]);
    expect(await readEmailStatus(messageId)).toMatchObject({ status: "published", errorMessage: null });
    await back.close();
  });

  test("sends the remaining mails of a dead process", async () => {
    await sendEmail(["mira@example.org", "tomas@example.org"]);
    await run(db, sql`update mails set claimed_at = ${clock.at} where recipient = 'tomas@example.org'`);
    await deliverQueuedEmail();
    expect(smtpServer.handed.flatMap((it) => it.for)).toEqual(["mira@example.org"]);
    await deliverQueuedEmail();
    await deliverQueuedEmail();
    expect(smtpServer.handed.flatMap((it) => it.for)).toEqual(["mira@example.org", "tomas@example.org"]);
  });

  test("stops after two rejections of an address, without affecting other recipients", async () => {
    refusedAddresses.set("gone@example.org", 550);
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) {
      ids.push((await sendEmail(["gone@example.org", "mira@example.org"])).messageId);
      await deliverQueuedEmail();
    }
    expect(await readEmailStatus(ids[0]!)).toMatchObject({
      status: "published",
      errorMessage: "It could not be delivered to 1 of 2.",
    });
    expect(
      await many(db, sql`select failure from mails where recipient = 'gone@example.org' order by created_at`),
    ).toMatchObject([{}, {}, { failure: "Mail to this address bounces." }]);
    const { messageId } = await sendEmail(["gone@example.org"]);
    await deliverQueuedEmail();
    expect(await readEmailStatus(messageId)).toEqual({
      messageId,
      status: "failed",
      errorMessage: "It could not be delivered.",
    });
  });

  test("sets a return path by which a bounced mail is found", async () => {
    const { messageId } = await sendEmail(["mira@example.org", "tomas@example.org"]);
    await deliverQueuedEmail(smtpServer.url, "reply@example.org");
    const ids = await many(db, sql<{ id: string }>`select id from mails order by recipient`);
    expect(smtpServer.handed.map(({ from }) => from)).toEqual(
      ids.map(({ id }) => `reply+back-${id.replaceAll("-", "")}@example.org`),
    );
    for (const { head } of smtpServer.handed) expect(head).not.toContain("reply+");
    await run(db, sql`update mails set failure = 'It came back.' where recipient = 'mira@example.org'`);
    expect(await readEmailStatus(messageId)).toMatchObject({
      status: "published",
      errorMessage: "It could not be delivered to 1 of 2.",
    });
  });
});

describe("email cancellation", () => {
  test("stops mail that has not been sent, and reports how many were sent already", async () => {
    const { messageId } = await sendEmail(["mira@example.org", "tomas@example.org"]);
    await run(db, sql`update mails set sent_at = ${clock.at} where recipient = 'mira@example.org'`);
    const cancelled = (await serverSdk().Messaging.cancel(messageId)) as unknown as EmailInfo;
    expect(cancelled).toEqual({
      messageId,
      status: "cancelled",
      errorMessage: "1 of 2 were already sent.",
    });
    await deliverQueuedEmail();
    expect(smtpServer.handed).toEqual([]);
    expect(await readEmailStatus(messageId)).toEqual(cancelled);
    const { messageId: sent } = await sendEmail(["mira@example.org"]);
    await deliverQueuedEmail();
    expect(await serverSdk().Messaging.cancel(sent)).toMatchObject({ status: "published" });
  });

  test("requires the sender or a trusted caller", async () => {
    await testApi.set({ mailRoles: "AuthenticatedUser" });
    const [mira, ben] = [await signInSdk("mira"), await signInSdk("ben")];
    const { messageId } = await sendEmail(["x@example.org"], {}, mira);
    for (const other of [ben, testApi.sdk()])
      await expect(other.Messaging.cancel(messageId)).rejects.toMatchObject({ status: 403 });
    expect(await mira.Messaging.cancel(messageId)).toMatchObject({ status: "cancelled" });
    const { messageId: servers } = await sendEmail(["x@example.org"]);
    await expect(mira.Messaging.cancel(servers)).rejects.toMatchObject({ status: 403 });
    await expect(serverSdk().Messaging.cancel(crypto.randomUUID())).rejects.toMatchObject({ status: 404 });
    await expect(serverSdk().Messaging.getMessageStatus("none")).rejects.toMatchObject({ status: 404 });
  });
});
