import { expect, test } from "vitest";
import { InviteLink, createInviteLink } from "#community/groups";
import { getNotificationSettings } from "#community/notifications";
import type { SignedIn } from "#community/rules";
import { openSettings, type SiteSettings } from "#community/settings";
import { one, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** The pages and forms of the welcome, without scripts. */

const database = await testDatabase();
const { inTransaction: within } = database;
const { server, as } = await serveBuiltPages(database);

async function place() {
  database.clock.pass(Date.now() - database.clock.at.getTime());
  const people = await createTestUsers(database);
  const beds = await createTestGroup(database, people, { name: "The Long Beds" });
  const { id: hello } = await createTestDiscussion(database, people.mira, beds.id, {
    title: "Hello from everybody",
  });
  const { id: latest } = await createTestDiscussion(database, people.mira, beds.id, { title: "Slugs again" });
  const nora = await within((tx) => createPerson(tx, "nora", "member", "new"));
  return { ...people, nora, beds, hello, latest };
}
const set = (ada: SignedIn, settings: Partial<SiteSettings>) =>
  within((tx) => openSettings(database).set(tx, ada, settings));
const page = async (who: SignedIn, url: string) => {
  const { body, headers } = await server.inject({
    url,
    headers: { host: "kith.test", accept: "text/html", ...as(who) },
  });
  return { to: headers.location, body: body.replaceAll("<!-- -->", "") };
};
const post = (who: SignedIn, url: string, form: Record<string, string>) =>
  server.inject({
    method: "POST",
    url,
    headers: {
      host: "kith.test",
      origin: "http://kith.test",
      "content-type": "application/x-www-form-urlencoded",
      ...as(who),
    },
    payload: new URLSearchParams(form).toString(),
  });
const endOf = async (who: SignedIn, next = "") =>
  (await post(who, next ? `/welcome?next=${encodeURIComponent(next)}` : "/welcome", { intent: "skip-all" }))
    .headers.location;

test("onboarding ends in the introductions discussion that an admin has chosen", async () => {
  const { ada, mira, nora } = await place();
  const kettles = await createTestGroup(
    database,
    { tomas: ada, mira },
    { name: "Kettles", visibility: "public" },
  );
  const { id } = await createTestDiscussion(database, ada, kettles.id, { title: "Who is who" });
  await set(ada, { introductions: `https://kith.test/discussions/${id}` });
  expect(await endOf(nora)).toBe(`/discussions/${id}#reply`);
});

test("onboarding ends in a discussion with a matching title if no readable one was chosen", async () => {
  const { ada, mira, nora, beds, hello } = await place();
  await within((tx) => setMembership(tx, beds.id, nora, "member"));
  const secret = await createTestGroup(
    database,
    { tomas: ada, mira },
    { name: "Staff", visibility: "secret" },
  );
  const { id } = await createTestDiscussion(database, ada, secret.id, { title: "Who is who" });
  await set(ada, { introductions: `/discussions/${id}` });
  expect(await endOf(nora)).toBe(`/discussions/${hello}#reply`);
});

test("onboarding redirects to the requested page, or to the home page if there are no discussions yet", async () => {
  const { nora, noor } = await place();
  expect(await endOf(nora, "/rules")).toBe("/rules");
  expect(await endOf(noor)).toBe("/");
});

test("onboarding ends in the invited group after joining, otherwise at the invitation", async () => {
  const { mira, nora, noor, beds, latest } = await place();
  const { token } = await within((tx) => createInviteLink(tx, mira, InviteLink.parse({ groupId: beds.id })));
  const next = `/invite/${token}`;
  expect(await endOf(noor, next)).toBe(next);
  await within((tx) => setMembership(tx, beds.id, nora, "member"));
  expect(await endOf(nora, next)).toBe(`/discussions/${latest}#reply`);
});

test("an admin can choose only an open discussion that they can read", async () => {
  const { ada, mira, latest } = await place();
  const choose = async (introductions: string, who = ada) =>
    (
      await post(who, "/admin/settings", {
        key: "introductions",
        introductions,
        intent: "save introductions",
      })
    ).statusCode;
  const hidden = await createTestGroup(
    database,
    { tomas: mira, mira },
    { name: "Ours", visibility: "secret" },
  );
  const { id } = await createTestDiscussion(database, mira, hidden.id, { title: "Between us" });
  expect(await choose(`/discussions/${latest}`)).toBe(302);
  for (const address of [`/discussions/${id}`, "/groups", "Hello"])
    expect(await choose(address), address).toBe(422);
  expect((await openSettings(database).get()).introductions).toBe(`/discussions/${latest}`);
  expect(await choose("")).toBe(302);
});

test("onboarding resumes at the last page with all choices kept", async () => {
  const { nora, beds } = await place();
  expect((await page(nora, "/")).body).not.toContain("Continue the welcome pages");
  expect((await page(nora, "/welcome")).body).toContain("Your profile");
  const response = await post(nora, "/welcome?step=3", { intent: "groups", "groups[]": beds.id });
  expect(response.headers.location).toBe("/welcome?step=4");
  await page(nora, "/welcome?step=4");
  await page(nora, "/welcome?step=2");
  expect((await page(nora, "/")).body).toMatch(/href="\/welcome"[^>]*>.*?Continue the welcome pages/s);
  expect((await page(nora, "/welcome")).body).toContain("How much email do you want?");
});

test("onboarding asks for the weekday of a weekly digest and stores it", async () => {
  const { nora } = await place();
  expect((await page(nora, "/welcome?step=4")).body).toContain('name="digest-day"');
  const mail = { intent: "mail", level: "everything", "digest-every": "week" };
  expect((await post(nora, "/welcome?step=4", { ...mail, "digest-day": "9" })).statusCode).toBe(422);
  expect((await post(nora, "/welcome?step=4", { ...mail, "digest-day": "6" })).statusCode).toBe(302);
  expect(await getNotificationSettings(database.db, nora, new Date())).toMatchObject({
    mailLevel: "everything",
    digestEvery: "week",
    digestDay: 6,
  });
  expect((await page(nora, "/welcome")).to).toBe("/");
  expect((await page(nora, "/")).body).not.toContain("Continue the welcome pages");
});

test("onboarding includes joining the invited group and ends there", async () => {
  const { mira, nora, latest } = await place();
  const beds = { groupId: (await one(database.db, sql<{ id: string }>`select id from groups`)).id };
  const { token } = await within((tx) => createInviteLink(tx, mira, InviteLink.parse(beds)));
  const asks = await within((tx) => createInviteLink(tx, mira, InviteLink.parse({ ...beds, entry: "ask" })));
  const way = (to: string, step: number) =>
    `/welcome?step=${step}&next=${encodeURIComponent(`/invite/${to}`)}`;
  expect((await page(nora, way(asks.token, 3))).body).not.toContain('name="accept"');
  expect((await page(nora, way(token, 3))).body).toContain("Join The Long Beds (invited by Mira)");
  await post(nora, way(token, 3), { intent: "groups", accept: "yes" });
  expect((await page(nora, way(token, 3))).body).not.toContain('name="accept"');
  expect(await endOf(nora, `/invite/${token}`)).toBe(`/discussions/${latest}#reply`);
});

test("an admin previews onboarding as a new member sees it, and nothing is stored", async () => {
  const { ada, mira, nora } = await place();
  await post(ada, "/welcome", { intent: "skip-all" });
  await post(mira, "/welcome", { intent: "skip-all" });
  expect((await page(ada, "/admin/settings")).body).toContain('href="/welcome?preview=1"');
  expect((await page(ada, "/welcome")).to).toBe("/");
  expect((await page(ada, "/welcome?preview=1")).body).toContain("Preview of the welcome pages.");
  const sent = await post(ada, "/welcome?step=1&preview=1", { intent: "name", name: "Somebody Else" });
  expect(sent.headers.location).toBe("/welcome?step=2&preview=1");
  expect((await page(ada, "/welcome?step=2&preview=1")).body).toContain("/welcome?step=1&amp;preview=1");
  const last = { intent: "mail", level: "nothing", "digest-every": "never", "digest-day": "1" };
  expect((await post(ada, "/welcome?step=4&preview=1", last)).headers.location).toBe("/admin/settings");
  const stored = await one(
    database.db,
    sql`select display_name as name, mail_level as level, welcome_step as step from people
      where id = ${ada.id}`,
  );
  expect(stored).toEqual({ name: "Ada", level: "important", step: null });
  expect((await page(mira, "/welcome?preview=1")).to).toBe("/");
  expect((await page(nora, "/welcome?preview=1")).body).not.toContain("Preview of the welcome pages.");
});
