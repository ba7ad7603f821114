import { describe, expect, test } from "vitest";
import { HOUR, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { APP, CLIENT, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  callEmailApi,
  clock,
  db,
  testApi,
  describeOutcome,
  PLAIN_EMAIL,
  sendEmail,
  serverSdk,
  signInSdk,
} from "../../../../test/support/rest/email-api.ts";

describe("permission to send email", () => {
  const to = ["mira@example.org"];

  test("belongs to the server key and admins", async () => {
    const mira = await signInSdk("mira");
    expect([
      await describeOutcome(sendEmail(to, {}, testApi.sdk())),
      await describeOutcome(sendEmail(to, {}, mira)),
      await describeOutcome(sendEmail(to)),
    ]).toEqual([403, 403, "sent"]);
    await run(db, sql`update people set site_role = 'admin' where id = ${mira.id}`);
    testApi.forget();
    expect(await describeOutcome(sendEmail(to, {}, mira))).toBe("sent");
  });

  test("belongs to people with a configured role while they have no sanction", async () => {
    const mira = await signInSdk("mira");
    const ben = await signInSdk("ben");
    const client = serverSdk() as unknown as {
      UserService: { assignRole: (user: string, role: string) => Promise<void> };
    };
    await testApi.call("PUT", `/${APP}/${SERVER}/management/roles/Postmaster`, {});
    await client.UserService.assignRole("mira@example.org", "Postmaster");
    await testApi.set({ mailRoles: "Gardener\n  Postmaster  \n" });
    testApi.forget();
    expect([
      await describeOutcome(sendEmail(to, {}, mira)),
      await describeOutcome(sendEmail(to, {}, ben)),
      await describeOutcome(sendEmail(to, {}, testApi.sdk())),
    ]).toEqual(["sent", 403, 403]);
    await run(db, sql`update people set state = 'limited'`);
    testApi.forget();
    expect(await describeOutcome(sendEmail(to, {}, mira))).toBe(403);
  });

  test("does not belong to callers with only the client key, even if their role is configured", async () => {
    await testApi.set({ mailRoles: "JSUser\nRestUser\nNotAuthenticatedUser" });
    expect(await describeOutcome(sendEmail(to, {}, testApi.sdk()))).toBe(403);
    expect(
      await callEmailApi(
        "emailtemplate/send",
        { addresses: to, "template-name": "x", uniqueEmails: false },
        CLIENT,
      ),
    ).toMatchObject({
      status: 403,
    });
  });
});

describe("email rate limit", () => {
  test("counts recipients per hour over all apps", async () => {
    await testApi.set({ mailsPerHour: 3 });
    expect(
      await callEmailApi("messaging/email", { ...PLAIN_EMAIL, to: ["a@b.org", "c@d.org"] }),
    ).toMatchObject({ status: 200 });
    expect(
      await callEmailApi("messaging/email", { ...PLAIN_EMAIL, to: ["e@f.org", "g@h.org"] }),
    ).toMatchObject({
      status: 429,
      message: expect.stringContaining("at most 3 emails per hour"),
    });
    const both = await Promise.all(
      [1, 2].map((n) => callEmailApi("messaging/email", { ...PLAIN_EMAIL, to: [`x${n}@b.org`] })),
    );
    expect(both.map((it) => it.status).sort()).toEqual([200, 429]);
    expect((await many(db, sql`select 1 from mails`)).length).toBe(3);
    clock.pass(HOUR);
    expect(
      await callEmailApi("messaging/email", { ...PLAIN_EMAIL, to: ["a@b.org", "c@d.org", "e@f.org"] }),
    ).toMatchObject({ status: 200 });
  });

  test("can be disabled by the setting", async () => {
    await testApi.set({ mailsPerHour: 0 });
    const to = Array.from({ length: 500 }, (_, n) => `a${n}@host${n % 2}.org`);
    for (const _ of [1, 2])
      expect(await callEmailApi("messaging/email", { ...PLAIN_EMAIL, to })).toMatchObject({ status: 200 });
    // Mails to one host are sent at intervals of minutes, after the community's own mail.
    const jobs = await many(
      db,
      sql<{ at: Date; priority: number; n: number }>`
        select run_at as at, priority, count(*)::int as n from graphile_worker._private_jobs
        where run_at >= ${clock.at} and run_at < ${new Date(clock.at.getTime() + HOUR)}
        group by 1, 2 order by 1`,
    );
    expect(jobs[0]).toEqual({ at: new Date(clock.at.getTime() + MINUTE), priority: 10, n: 120 });
  });
});
