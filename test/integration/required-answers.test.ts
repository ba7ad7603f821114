import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { addProfileField, answerFields, NewFieldForm, retireProfileField } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import { DAY, addMilliseconds } from "#platform/clock";
import { run, sql } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { createTestUsers, type TestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Members must answer the required profile questions before they can do anything else. */
const database = await testDatabase();
const { server } = await serveBuiltPages(database);
const { db, inTransaction: within, clock } = database;
let people: TestUsers;
beforeEach(async () => void (people = await createTestUsers(database)));

/** Session cookie, as a browser has it. */
async function cookieOf({ id }: SignedIn): Promise<string> {
  const token = randomUUID();
  await run(
    db,
    sql`insert into sessions (id, token_hash, person_id, kind, stay, device, created_at, seen_at, expires_at)
        values (${randomUUID()}, ${hashSecret(token)}, ${id}, 'web', false, '', ${clock.at}, ${clock.at},
          ${addMilliseconds(clock.at, DAY)})`,
  );
  return `kith_session=${token}`;
}
const get = async (url: string, cookie?: string) => {
  const { statusCode, headers, body } = await server.inject({
    url,
    headers: { host: "kith.test", accept: "text/html", ...(cookie && { cookie }) },
  });
  return { status: statusCode, to: headers.location, body };
};
const post = (url: string, cookie: string, form: Record<string, string> = {}) =>
  server.inject({
    method: "POST",
    url,
    headers: {
      host: "kith.test",
      origin: "http://kith.test",
      cookie,
      "content-type": "application/x-www-form-urlencoded",
    },
    payload: new URLSearchParams(form).toString(),
  });
const wish = (label: string, required: boolean) =>
  NewFieldForm.parse({ label, kind: "line", audience: "members", locked: false, required, choices: "" });
const ask = (label: string, required = true) =>
  within((tx) => addProfileField(tx, people.ada, wish(label, required)));

test("a person without a required answer is redirected to the question, and afterwards back", async () => {
  const { mira } = people;
  const cookie = await cookieOf(mira);
  await ask("Favourite bed", false);
  expect((await get("/groups", cookie)).status).toBe(200);
  const { id } = await ask("Garden gate");
  for (const url of ["/", "/groups?tab=discover", `/resources/${randomUUID()}`, "/search?q=rain"])
    expect(await get(url, cookie)).toMatchObject({
      status: 302,
      to: `/asked?next=${encodeURIComponent(url).replaceAll("%20", "+")}`,
    });
  const page = await get("/asked?next=%2Fgroups", cookie);
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining("Garden gate") });
  expect(page.body).not.toContain("Favourite bed");
  const send = (answer: string) =>
    post("/asked?next=%2Fgroups", cookie, {
      "asked-field[]": id,
      [`asked-${id}`]: answer,
      [`asked-audience-${id}`]: "members",
    });
  const refused = await send("");
  expect([refused.statusCode, refused.body.includes("This field is required.")]).toEqual([422, true]);
  expect((await send("North")).headers.location).toBe("/groups");
  expect((await get("/groups", cookie)).status).toBe(200);
  expect(await get("/asked?next=https://elsewhere.example", cookie)).toMatchObject({ status: 302, to: "/" });
});

test("rules, own settings, own data and sign-out need no required answer", async () => {
  const { mira, tomas } = people;
  const cookie = await cookieOf(mira);
  await ask("Garden gate");
  for (const url of [
    "/rules",
    "/privacy",
    "/about",
    `/users/settings/${mira.id}`,
    `/users/settings/${mira.id}/data`,
  ])
    expect([url, (await get(url, cookie)).status]).toEqual([url, 200]);
  expect((await get(`/users/settings/${tomas.id}`, cookie)).status).toBe(302);
  for (const url of ["/", "/groups"]) expect([url, (await get(url)).status]).toEqual([url, 200]);
  expect((await get("/asked")).to).toBe("/login?next=%2Fasked");
  const out = await post("/logout", cookie);
  expect(out.statusCode).toBe(302);
  expect((await get("/groups", cookie)).status).toBe(200);
});

test("a retired or answered question redirects no one", async () => {
  const { mira, tomas } = people;
  const [hers, his] = [await cookieOf(mira), await cookieOf(tomas)];
  const { id } = await ask("Garden gate");
  await within((tx) =>
    answerFields(tx, mira, mira.id, [{ fieldId: id, said: ["North"], audience: "members" }]),
  );
  expect([(await get("/groups", hers)).status, (await get("/groups", his)).status]).toEqual([200, 302]);
  await within((tx) => retireProfileField(tx, people.ada, id));
  expect((await get("/groups", his)).status).toBe(200);
});
