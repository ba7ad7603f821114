import { describe, expect, test } from "vitest";
import { maybeOne, one, run, sql } from "#platform/database";
import { ensureFirstAdmin, findFirstAdminSetup, sendTestEmail, signIn } from "#community/accounts";
import { getInvitation } from "#community/groups";
import { clientInfo, createAccountsContext } from "../../../test/support/accounts/accounts-context.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { CommunitySetup, dismissSetupChecklist, getSetupChecklist, setUpCommunity } from "./index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const PASSWORD = "a long word for trees";
const INPUT = {
  community: "Lindenhof",
  sentence: "Neighbours who garden.",
  accent: "#7a1f6b",
  name: "Lena Berg",
  email: "lena@example.org",
  password: PASSWORD,
  group: "members",
  groupName: "Beds",
};
const parse = (changes: Partial<typeof INPUT> = {}) => CommunitySetup.parse({ ...INPUT, ...changes });

async function startEmpty() {
  const firstAdmin = await ensureFirstAdmin(app, { email: "admin@kith.test", password: null });
  return new URL(firstAdmin!.link!).searchParams.get("token")!;
}
const people = () =>
  one(database.db, sql`select username, display_name as name, email from people where site_role = 'admin'`);

describe("set-up of an empty community", () => {
  test("names the community, gives the admin their account and invites to the first group", async () => {
    const token = await startEmpty();
    const { admin, signIn: result, group } = await setUpCommunity(app, token, parse(), clientInfo());
    expect(result).toMatchObject({ kind: "signed-in" });
    expect(await people()).toEqual({ username: "lena.berg", name: "Lena Berg", email: "lena@example.org" });
    expect(await app.settings.getNow()).toMatchObject({ name: "Lindenhof", accent: "#7a1f6b" });
    const guest = { id: null, role: "guest", trust: "new", limited: false } as const;
    expect(await getInvitation(database.db, guest, group!.token, database.clock.at)).toMatchObject({
      state: "open",
      entry: "join",
      group: { name: "Beds", visibility: "private", joinPolicy: "request" },
    });
    expect(
      await maybeOne(
        database.db,
        sql`select 1 from memberships where role = 'owner'
      and person_id = ${admin.id}`,
      ),
    ).toBeDefined();
    const again = { login: "lena@example.org", password: PASSWORD };
    expect(await signIn(app, again, clientInfo(), "web")).toMatchObject({ kind: "signed-in" });
  });

  test("works once, also when submitted twice at once", async () => {
    const token = await startEmpty();
    const both = await Promise.allSettled([
      setUpCommunity(app, token, parse(), clientInfo()),
      setUpCommunity(app, token, parse(), clientInfo()),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(setUpCommunity(app, token, parse(), clientInfo())).rejects.toMatchObject({ reason: "gone" });
    expect(await findFirstAdminSetup(app, token)).toBeNull();
  });

  test("changes nothing when an entry is refused, and the link stays valid", async () => {
    await app.member({ username: "noor" });
    const token = await startEmpty();
    const before = await people();
    const attempt = (changes: Partial<typeof INPUT> & { username?: string }) =>
      setUpCommunity(app, token, CommunitySetup.parse({ ...INPUT, ...changes }), clientInfo());
    await expect(attempt({ password: "short" })).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    });
    await expect(attempt({ username: "noor" })).rejects.toMatchObject({
      fields: { username: expect.any(String) },
    });
    await expect(attempt({ email: "noor@example.org" })).rejects.toMatchObject({
      fields: { email: expect.any(String) },
    });
    await expect(attempt({ accent: "#ffff00" })).rejects.toMatchObject({
      fields: { accent: expect.any(String) },
    });
    expect(await people()).toEqual(before);
    expect((await app.settings.getNow()).name).toBe("Kith");
    expect(CommunitySetup.safeParse({ ...INPUT, groupName: "" }).success).toBe(false);
    expect((await attempt({ group: "" })).group).toBeNull();
  });

  test("leaves an admin who has signed in unchanged; the link then only sets a password", async () => {
    const token = await startEmpty();
    await run(database.db, sql`update people set seen_at = ${database.clock.at}`);
    await expect(setUpCommunity(app, token, parse(), clientInfo())).rejects.toMatchObject({ reason: "gone" });
  });
});

describe("set-up checklist", () => {
  const load = async (viewer: Parameters<typeof getSetupChecklist>[1], sendsMail = true) =>
    getSetupChecklist(database.db, viewer, await app.settings.getNow(), { sendsMail });

  test("shows admins what is left, until it is done or dismissed", async () => {
    const { admin } = await setUpCommunity(app, await startEmpty(), parse({ group: "" }), clientInfo());
    const member = await app.member({ username: "mira", state: "unverified" });
    expect(await load(member)).toBeNull();
    expect(await load(admin)).toEqual({
      isNamed: true,
      hasRules: false,
      group: null,
      hasInvited: false,
      mail: "untested",
      address: "lena@example.org",
      hasSecondStep: false,
    });
    expect(await load(admin, false)).toMatchObject({ mail: "unset" });
    await sendTestEmail(app, admin);
    await run(database.db, sql`update mails set failure = 'refused'`);
    expect(await load(admin)).toMatchObject({ mail: "failed" });
    await run(database.db, sql`update mails set sent_at = ${database.clock.at}`);
    expect(await load(admin)).toMatchObject({ mail: "works" });
    await database.inTransaction((tx) => dismissSetupChecklist(tx, app.settings, admin));
    expect(await load(admin)).toBeNull();
  });

  test("does not let members send a test email or dismiss it", async () => {
    const member = await app.member({ username: "mira" });
    await expect(sendTestEmail(app, member)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(
      database.inTransaction((tx) => dismissSetupChecklist(tx, app.settings, member)),
    ).rejects.toMatchObject({ reason: "not-allowed" });
  });
});
