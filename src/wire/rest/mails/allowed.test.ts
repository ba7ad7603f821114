import { describe, expect, test } from "vitest";
import { HOUR, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { APP, CLIENT, SERVER } from "../rest.fixture.ts";
import { call, clock, db, door, outcome, plain, send, server, signedIn } from "./mails.fixture.ts";

describe("permission to send email", () => {
  const to = ["mira@example.org"];

  test("belongs to the server key and admins, and to others once a role is named", async () => {
    const mira = await signedIn("mira");
    expect([await outcome(send(to, {}, door.sdk())), await outcome(send(to, {}, mira)), await outcome(send(to))]).toEqual([
      403,
      403,
      "sent",
    ]);
    await run(db, sql`update people set site_role = 'admin' where id = ${mira.id}`);
    door.forget();
    expect(await outcome(send(to, {}, mira))).toBe("sent");
  });

  test("belongs to people with a named role while they have no sanction", async () => {
    const mira = await signedIn("mira");
    const ben = await signedIn("ben");
    const app = server() as unknown as { UserService: { assignRole: (user: string, role: string) => Promise<void> } };
    await door.call("PUT", `/${APP}/${SERVER}/management/roles/Postmaster`, {});
    await app.UserService.assignRole("mira@example.org", "Postmaster");
    await door.set({ mailRoles: "Gardener\n  Postmaster  \n" });
    door.forget();
    expect([await outcome(send(to, {}, mira)), await outcome(send(to, {}, ben)), await outcome(send(to, {}, door.sdk()))]).toEqual([
      "sent",
      403,
      403,
    ]);
    await run(db, sql`update people set state = 'limited'`);
    door.forget();
    expect(await outcome(send(to, {}, mira))).toBe(403);
  });

  test("excludes callers with only the client key, even when their role is named", async () => {
    await door.set({ mailRoles: "JSUser\nRestUser\nNotAuthenticatedUser" });
    expect(await outcome(send(to, {}, door.sdk()))).toBe(403);
    expect(await call("emailtemplate/send", { addresses: to, "template-name": "x", uniqueEmails: false }, CLIENT)).toMatchObject({
      status: 403,
    });
  });
});

describe("email rate limit", () => {
  test("counts recipients per hour over all apps; a refused mail reaches no one", async () => {
    await door.set({ mailsPerHour: 3 });
    expect(await call("messaging/email", { ...plain, to: ["a@b.org", "c@d.org"] })).toMatchObject({ status: 200 });
    expect(await call("messaging/email", { ...plain, to: ["e@f.org", "g@h.org"] })).toMatchObject({
      status: 429,
      message: expect.stringContaining("3 mails in an hour"),
    });
    const both = await Promise.all([1, 2].map((n) => call("messaging/email", { ...plain, to: [`x${n}@b.org`] })));
    expect(both.map((it) => it.status).sort()).toEqual([200, 429]);
    expect((await many(db, sql`select 1 from mails`)).length).toBe(3);
    clock.pass(HOUR);
    expect(await call("messaging/email", { ...plain, to: ["a@b.org", "c@d.org", "e@f.org"] })).toMatchObject({ status: 200 });
  });

  test("may be disabled by the setting", async () => {
    await door.set({ mailsPerHour: 0 });
    const to = Array.from({ length: 500 }, (_, n) => `a${n}@host${n % 2}.org`);
    for (const _ of [1, 2]) expect(await call("messaging/email", { ...plain, to })).toMatchObject({ status: 200 });
    // Mails to one host are sent some minutes apart, after the community's own.
    const jobs = await many(
      db,
      sql<{ at: Date; priority: number; n: number }>`
        select run_at as at, priority, count(*)::int as n from graphile_worker._private_jobs where run_at >= ${clock.at} and run_at < ${new Date(clock.at.getTime() + HOUR)}
        group by 1, 2 order by 1`,
    );
    expect(jobs[0]).toEqual({ at: new Date(clock.at.getTime() + MINUTE), priority: 10, n: 120 });
  });
});
