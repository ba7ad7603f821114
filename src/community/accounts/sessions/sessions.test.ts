import { describe, expect, test } from "vitest";
import { DAY, HOUR, SECOND } from "#platform/clock";
import { one, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  ADMIN,
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import {
  type SessionKind,
  deleteExpiredRows,
  setStatus,
  signIn,
  findSession,
  findSessionById,
  listSessions,
  endSession,
  endOtherSessions,
  signOut,
  signInAsGuest,
} from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

async function signedIn(
  login: string,
  { stay = false, sessionKind = "web" }: { stay?: boolean; sessionKind?: SessionKind } = {},
) {
  const answer = await signIn(app, { login, password: PASSWORD, stay }, clientInfo(), sessionKind);
  if (answer.kind !== "signed-in") throw new Error("Nobody is signed in.");
  return answer.session;
}
const seenAt = async (id: string) =>
  (await one(database.db, sql<{ at: Date }>`select seen_at as at from sessions where id = ${id}`)).at;
/** Visits are written concurrently with the request. */
const visitWritten = (id: string) => expect.poll(() => seenAt(id)).toEqual(database.clock.at);

describe("session", () => {
  test("identifies its owner, but a web session is not valid in the API", async () => {
    const ana = await app.member({ username: "ana", name: "Ana", role: "moderator", trust: "established" });
    const { token, id } = await signedIn("ana");
    expect(await findSession(app, token, "web")).toMatchObject({
      viewer: { id: ana.id, role: "moderator", trust: "established", limited: false },
      person: {
        id: ana.id,
        name: "Ana",
        username: "ana",
        email: "ana@example.org",
        locale: "en",
        timeZone: "UTC",
        theme: "system",
        photoId: null,
      },
      session: { id, stay: false },
    });
    expect(await findSession(app, token, "api")).toBeNull();
    expect(await findSession(app, "made-up", "web")).toBeNull();
    expect(await findSessionById(app, id)).toMatchObject({ viewer: { id: ana.id } });
  });

  test("stores a hash of the token", async () => {
    await app.member({ username: "ana" });
    const { token } = await signedIn("ana");
    const { row } = await one(database.db, sql<{ row: string }>`select sessions::text as row from sessions`);
    expect(row).not.toContain(token);
    expect(row).not.toContain("203.0.113.7");
  });

  test('expires a day after the last visit, or 60 days with "stay signed in"', async () => {
    await app.member({ username: "ana" });
    const [short, long] = [await signedIn("ana"), await signedIn("ana", { stay: true })];
    database.clock.pass(23 * HOUR);
    expect(await findSession(app, short.token, "web")).not.toBeNull();
    await visitWritten(short.id);
    database.clock.pass(23 * HOUR);
    expect(await findSession(app, short.token, "web")).not.toBeNull();
    await visitWritten(short.id);
    database.clock.pass(24 * HOUR);
    expect(await findSession(app, short.token, "web")).toBeNull();
    expect(await findSessionById(app, short.id)).toBeNull();
    database.clock.pass(57 * DAY);
    expect(await findSession(app, long.token, "web")).not.toBeNull();
    await visitWritten(long.id);
    database.clock.pass(60 * DAY);
    expect(await findSession(app, long.token, "web")).toBeNull();
    await database.inTransaction(deleteExpiredRows);
    expect(await one(database.db, sql`select count(*)::int as n from sessions`)).toEqual({ n: 0 });
  });

  test("records a visit at most once a minute", async () => {
    await app.member({ username: "ana" });
    const { token, id } = await signedIn("ana");
    database.clock.pass(30 * SECOND);
    await findSession(app, token, "web");
    // If this visit were recorded, the next one would be less than a minute later and not be recorded.
    database.clock.pass(31 * SECOND);
    await Promise.all([1, 2, 3].map(() => findSession(app, token, "web")));
    await expect.poll(() => seenAt(id)).toEqual(database.clock.at);
  });

  test("limit is ten per kind; the next sign-in ends the session that was idle longest", async () => {
    const ana = await app.member({ username: "ana" });
    const sessions = [];
    for (let n = 0; n < 11; n++) {
      sessions.push(await signedIn("ana"));
      database.clock.pass(SECOND);
    }
    const wire = await signedIn("ana", { sessionKind: "api" });
    expect(await findSession(app, sessions[0]!.token, "web")).toBeNull();
    expect(await findSession(app, sessions[1]!.token, "web")).not.toBeNull();
    expect(await findSession(app, wire.token, "api")).not.toBeNull();
    expect(await app.events("person.sessions-ended")).toEqual([
      { type: "person.sessions-ended", personId: ana.id, sessionIds: sessions[0]!.id },
    ]);
  });
});

describe("ending sessions", () => {
  test("affects one session, all others or the current one, but never another person's", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    const [a, b, c, bens] = [
      await signedIn("ana"),
      await signedIn("ana"),
      await signedIn("ana"),
      await signedIn("ben"),
    ];
    expect((await listSessions(app, ana)).map((line) => line.device)).toEqual([
      "Firefox on Linux",
      "Firefox on Linux",
      "Firefox on Linux",
    ]);

    await expect(endSession(app, ana, bens.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(endSession(app, ana, "nonsense")).rejects.toMatchObject({ reason: "not-found" });
    await endSession(app, ana, a.id);
    expect(await findSession(app, a.token, "web")).toBeNull();
    await endOtherSessions(app, ana, b.id);
    expect(await findSession(app, c.token, "web")).toBeNull();
    expect(await findSession(app, b.token, "web")).not.toBeNull();
    await signOut(app, b.token, "web");
    await signOut(app, b.token, "web");
    expect(await findSession(app, b.token, "web")).toBeNull();
    expect(await listSessions(app, ben)).toHaveLength(1);
  });

  test("happens at once on suspension, but not when an account is limited", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    const [anas, bens] = [await signedIn("ana"), await signedIn("ben")];
    await database.inTransaction((tx) =>
      setStatus(tx, ADMIN, { personId: ana.id, state: "suspended", reason: "Insults" }),
    );
    await database.inTransaction((tx) =>
      setStatus(tx, ADMIN, { personId: ben.id, state: "limited", reason: "Spam" }),
    );
    expect(await findSession(app, anas.token, "web")).toBeNull();
    expect(await findSession(app, bens.token, "web")).toMatchObject({ viewer: { limited: true } });
    expect(await app.events("person.sessions-ended")).toMatchObject([
      { personId: ana.id, sessionIds: anas.id },
    ]);
  });

  test("on suspension includes sessions that start concurrently", async () => {
    const ana = await app.member({ username: "ana" });
    const all = await Promise.allSettled([
      ...[1, 2, 3, 4].map(() => signedIn("ana")),
      database.inTransaction((tx) =>
        setStatus(tx, ADMIN, { personId: ana.id, state: "suspended", reason: "Insults" }),
      ),
    ]);
    expect(all.at(-1)?.status).toBe("fulfilled");
    expect(await one(database.db, sql`select count(*)::int as n from sessions`)).toEqual({ n: 0 });
  });
});

test("an API guest has a session and is invisible to others", async () => {
  const { token, personId } = await signInAsGuest(app, clientInfo(), "api");
  expect(await findSession(app, token, "api")).toMatchObject({
    viewer: { id: personId, role: "guest" },
    person: { state: "guest", email: null },
  });
  expect(await findSession(app, token, "web")).toBeNull();
});
