import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import {
  ADMIN,
  clientInfo,
  createAccountsContext,
  PASSWORD,
} from "../../../../test/support/accounts/accounts-context.ts";
import { createTestGroup } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  createAccessToken,
  deactivateAccount,
  deleteExpiredRows,
  findTokenIdentity,
  isAccessToken,
  listAccessTokens,
  listAllAccessTokens,
  NewAccessToken,
  revokeAccessToken,
  setStatus,
  signIn,
} from "../index.ts";
import { isTokenWellFormed } from "./token-format.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const PROOF = { proof: PASSWORD, sessionId: null };
const READER = { name: "Backup", scopes: ["discussions:read"], lifetime: "90" };

async function createMember(username = "ana", role: "member" | "moderator" | "admin" = "member") {
  return app.member({ username, role, trust: "established" });
}
const create = async (viewer: Awaited<ReturnType<typeof createMember>>, more: object = {}) =>
  createAccessToken(app, viewer, NewAccessToken.parse({ ...READER, ...more }), PROOF);
const find = (token: string, address = "203.0.113.7") => findTokenIdentity(app, token, address);

describe("access token", () => {
  test("has a prefix and a checksum, and is stored as a hash", async () => {
    const ana = await createMember();
    const { token } = await create(ana);
    expect(token).toMatch(/^kith_pat_[0-9A-Za-z]{36}$/);
    expect([isAccessToken(token), isTokenWellFormed(token)]).toEqual([true, true]);
    const other = token.at(-1) === "0" ? "1" : "0";
    for (const wrong of [token.slice(0, -1) + other, token.slice(0, -1), `${token}0`, "kith_pat_", ""])
      expect([wrong, isTokenWellFormed(wrong), await find(wrong)]).toEqual([wrong, false, null]);
    // Secret scanners rely on this format.
    expect(isTokenWellFormed("kith_pat_0000000000000000000000000000004KEoeE")).toBe(true);
    const { row } = await one(
      database.db,
      sql<{ row: string }>`select access_tokens::text as row from access_tokens`,
    );
    expect(row).not.toContain(token);
  });

  test("identifies its person, and has the person's site role only with a scope for moderation", async () => {
    const ines = await createMember("ines", "moderator");
    const { token: reader } = await create(ines);
    const { token: moderator } = await create(ines, { scopes: ["moderation:write", "groups:read"] });
    expect(await find(reader)).toMatchObject({
      viewer: { id: ines.id, role: "member", trust: "established", scopes: ["discussions:read"] },
    });
    expect(await find(moderator)).toMatchObject({
      viewer: { id: ines.id, role: "moderator", scopes: ["groups:read", "moderation:write"] },
    });
  });

  test("needs the password, a known scope and a lifetime", async () => {
    const ana = await createMember();
    const input = NewAccessToken.parse(READER);
    await expect(
      createAccessToken(app, ana, input, { proof: "wrong", sessionId: null }),
    ).rejects.toMatchObject({ reason: "invalid", fields: { proof: "Wrong password or code." } });
    for (const wrong of [
      { scopes: [] },
      { scopes: ["discussions:delete"] },
      { scopes: ["security:read"] },
      { scopes: ["moderation:read"] },
      { lifetime: "400" },
      { lifetime: undefined },
      { name: " " },
      { name: "x".repeat(61) },
    ])
      expect([wrong, NewAccessToken.safeParse({ ...READER, ...wrong }).success]).toEqual([wrong, false]);
    expect(await listAccessTokens(database.db, ana)).toEqual([]);
  });

  test("sends its owner a mail and a notification when it is created, and adds an audit entry", async () => {
    const ana = await createMember();
    const { token, id } = await create(ana);
    const mail = await app.mailTo("ana@example.org");
    expect(mail).toMatchObject({ subject: "An access token was created" });
    expect(mail!.text).toContain("“Backup”");
    expect(mail!.text).not.toContain(token);
    expect(await app.events("person.security")).toMatchObject([{ personId: ana.id, what: "tokenCreated" }]);
    expect(await many(database.db, sql`select act, actor_id, object_id, details from audit_events`)).toEqual([
      {
        act: "token.created",
        actor_id: ana.id,
        object_id: ana.id,
        details: { tokenId: id, scopes: "discussions:read" },
      },
    ]);
  });

  test("limited to groups shows their names to its owner only", async () => {
    const [ana, ada] = [await createMember("ana"), await createMember("ada", "admin")];
    const founder = await createMember("ines", "moderator");
    const members = { tomas: founder, mira: ana };
    const { id: groupId } = await createTestGroup(database, members, {
      name: "Hidden",
      visibility: "secret",
    });
    await create(ana, { groupIds: [groupId] });
    const limited = { groupCount: 1, groupNames: ["Hidden"] };
    expect(await listAccessTokens(database.db, ana)).toMatchObject([limited]);
    const { tokens } = await listAllAccessTokens(database.db, ada, {});
    expect(tokens).toMatchObject([{ ...limited, groupNames: [] }]);
    await expect(create(ada, { groupIds: [groupId] })).rejects.toMatchObject({ reason: "invalid" });
  });

  test("limit is thirty per person", async () => {
    const ana = await createMember();
    const { id } = await create(ana);
    await run(
      database.db,
      sql`insert into access_tokens (id, person_id, token_hash, name, scopes, created_at)
        select gen_random_uuid(), person_id, decode(md5(n::text), 'hex'), name, scopes, created_at
        from access_tokens, generate_series(1, 29) n where id = ${id}`,
    );
    await expect(create(ana)).rejects.toMatchObject({ reason: "conflict" });
  });

  test("stores the day and the masked address of its last use", async () => {
    const ana = await createMember();
    const { token } = await create(ana);
    expect(await listAccessTokens(database.db, ana)).toMatchObject([{ usedOn: null, usedFrom: null }]);
    await find(token, "2001:db8:85a3:8d3:1319:8a2e:370:7348");
    const used = async () => (await listAccessTokens(database.db, ana))[0]!;
    const day = database.clock.at.toISOString().slice(0, 10);
    await expect.poll(used).toMatchObject({ usedOn: day, usedFrom: "2001:db8:85a3:…" });
    await find(token);
    await expect.poll(used).toMatchObject({ usedOn: day, usedFrom: "203.0.113.…" });
  });
});

describe("end of an access token", () => {
  test("happens at its expiry; the token is deleted a month later", async () => {
    const ana = await createMember();
    const [short, endless] = [
      await create(ana, { lifetime: "7" }),
      await create(ana, { lifetime: "never", name: "Always" }),
    ];
    database.clock.pass(7 * DAY - 1);
    expect(await find(short.token)).not.toBeNull();
    database.clock.pass(1);
    expect(await find(short.token)).toBeNull();
    await database.inTransaction(deleteExpiredRows);
    expect(await listAccessTokens(database.db, ana)).toHaveLength(2);
    database.clock.pass(31 * DAY);
    await database.inTransaction(deleteExpiredRows);
    expect(await listAccessTokens(database.db, ana)).toMatchObject([{ id: endless.id, expiresAt: null }]);
    expect(await find(endless.token)).not.toBeNull();
  });

  test("happens when its owner or an admin revokes the token, not when another member tries", async () => {
    const [ana, ben, ada] = [
      await createMember("ana"),
      await createMember("ben"),
      await createMember("ada", "admin"),
    ];
    const [first, second] = [await create(ana), await create(ana)];
    for (const id of [first.id, "nonsense"])
      await expect(revokeAccessToken(app, ben, id)).rejects.toMatchObject({ reason: "not-found" });
    await revokeAccessToken(app, ana, first.id);
    expect(await find(first.token)).toBeNull();
    expect(await app.events("person.tokens-revoked")).toMatchObject([{ personId: ana.id }]);

    await expect(listAllAccessTokens(database.db, ana, {})).rejects.toMatchObject({ reason: "not-allowed" });
    const { tokens, next } = await listAllAccessTokens(database.db, ada, {});
    expect({ tokens, next }).toMatchObject({
      tokens: [{ id: second.id, name: "Backup", groupCount: null, owner: { id: ana.id, username: "ana" } }],
      next: null,
    });
    await revokeAccessToken(app, ada, second.id);
    expect(await find(second.token)).toBeNull();
    expect(await app.mailTo("ana@example.org")).toMatchObject({ subject: "An access token was revoked" });
  });

  test("happens when its owner is suspended, but not when the account is limited", async () => {
    const [ana, ben] = [await createMember("ana"), await createMember("ben")];
    const [anas, bens] = [await create(ana), await create(ben)];
    const setState = (personId: string, state: "suspended" | "limited" | "active") =>
      database.inTransaction((tx) => setStatus(tx, ADMIN, { personId, state, reason: "Spam" }));
    await setState(ana.id, "suspended");
    await setState(ben.id, "limited");
    expect(await find(anas.token)).toBeNull();
    expect(await find(bens.token)).toMatchObject({ viewer: { limited: true } });
    await setState(ana.id, "active");
    expect(await find(anas.token)).toBeNull();
  });

  test("happens when the account is closed, and is not undone when the owner returns", async () => {
    const ana = await createMember();
    const { token } = await create(ana);
    await deactivateAccount(app, ana, PASSWORD);
    expect(await find(token)).toBeNull();
    await signIn(app, { login: "ana", password: PASSWORD, stay: false }, clientInfo(), "web");
    expect(await find(token)).toBeNull();
  });
});
