import { expect, test } from "vitest";
import { many, sql } from "#platform/database";
import {
  approveAccount,
  getPerson,
  listAccounts,
  listDirectory,
  listOwnPendingProfiles,
  updateProfileOrAwaitApproval,
} from "#community/accounts";
import { NewConversation, startConversation } from "#community/conversations";
import {
  listOwnPendingPosts,
  NewDiscussion,
  NewReply,
  replyOrAwaitApproval,
  startDiscussionOrAwaitApproval,
} from "#community/discussions";
import { joinGroup } from "#community/groups";
import { approvePending, NewGuestReport, submitGuestReport } from "#community/moderation";
import { createSigner } from "#platform/signing";
import { blockAddress, BlockedAddressForm } from "#community/prevention";
import { addLinkOrAwaitApproval, listResources, NewLink } from "#community/resources";
import type { SignedIn } from "#community/rules";
import type { Tx } from "#platform/database";
import { clientInfo, createAccountsContext } from "../support/accounts/accounts-context.ts";
import { countCases, FUZZ_TIMEOUT, requestedCases } from "../support/fuzz-cases.ts";
import { createRegistrations, Outcomes } from "../support/moderation/spam-simulation.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../support/test-users.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
const app = createAccountsContext(database);
const register = createRegistrations(database, app);

/** Sign-ups of spammers: 100 in normal runs, 10 000 in `npm run fuzz`. Ten of them share a network. */
const SPAMMERS = countCases(100, 10);
const NEWCOMERS = requestedCases > 0 ? 200 : 10;
const SPAM_WORD = "zockerglueck";
const SPAM = `Win big tonight with ${SPAM_WORD}, only today and only for you: https://${SPAM_WORD}.example/`;
/** Tables in which moderators alone read what awaits a decision, or whose rows only their author reads. */
const UNPUBLISHED = ["drafts", "guest_reports", "pending_posts"];

async function createSite() {
  const people = await createTestUsers(database);
  await app.set({
    firstPosts: "first",
    proofForRegistration: true,
    writingLimits: true,
    contact: "help@kith.example",
  });
  const block = (address: string) =>
    within((tx) =>
      blockAddress(
        tx,
        people.ada,
        BlockedAddressForm.parse({ address, reason: "Much spam.", days: "0" }),
        "203.0.113.9",
      ),
    );
  await block("throwaway.example");
  await block("192.0.2.0/24");
  const group = await createTestGroup(database, people, { visibility: "public", joinPolicy: "open" });
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  return { ...people, group, discussion };
}
type Site = Awaited<ReturnType<typeof createSite>>;

const MAIL_DOMAINS = ["example.net", "throwaway.example", "mail.throwaway.example", "example.com"];

/** One spammer: registers and, with an account, sends its text everywhere. */
async function sendSpam(site: Site, n: number, outcomes: Outcomes): Promise<SignedIn | null> {
  const network = Math.floor(n / 10);
  const address = network % 10 === 9 ? `192.0.2.${network % 256}` : `10.${network >> 8}.${network & 255}.7`;
  const registered = await register({
    name: `Lucky ${n}`,
    email: `lucky${n}@${MAIL_DOMAINS[n % MAIL_DOMAINS.length]}`,
    from: clientInfo(address),
    solvesProof: n % 3 !== 0,
    honeypot: n % 7 === 6 ? SPAM : "",
  });
  outcomes.add(`sign-up: ${registered.kind === "refused" ? registered.refusal.reason : registered.kind}`);
  const report = NewGuestReport.parse({
    kind: "post",
    subjectId: site.discussion.postId,
    name: "Lucky",
    email: `lucky${n}@example.net`,
    reason: SPAM,
  });
  if (n % 5 === 0)
    await outcomes.run("guest's report", async () => {
      await submitGuestReport(
        { ...app, signer: createSigner(Buffer.alloc(32, 7)) },
        { ...report, category: "spam" },
        { address, locale: "en", honeypot: "", proof: n % 2 === 0 ? "missing" : "off" },
      );
      return { waits: true };
    });
  if (registered.kind !== "active") return null;
  const me = registered.person;
  const send = (name: string, command: (tx: Tx) => Promise<unknown>) =>
    outcomes.run(name, () => within(command));
  const { group, discussion, mira } = site;
  await within((tx) => joinGroup(tx, me, { groupId: group.id }));
  await send("reply", (tx) =>
    replyOrAwaitApproval(tx, me, NewReply.parse({ discussionId: discussion.id, body: SPAM })),
  );
  await send("discussion", (tx) =>
    startDiscussionOrAwaitApproval(
      tx,
      me,
      NewDiscussion.parse({ groupId: group.id, title: `Hello ${SPAM_WORD}`, body: SPAM, tags: SPAM_WORD }),
    ),
  );
  await send("resource", (tx) =>
    addLinkOrAwaitApproval(
      tx,
      me,
      NewLink.parse({ url: `https://${SPAM_WORD}.example/${n}`, title: SPAM_WORD, why: SPAM, tags: "" }),
    ),
  );
  await send("profile", (tx) =>
    updateProfileOrAwaitApproval(tx, me, me.id, {
      bio: SPAM,
      fields: [{ label: "Site", value: `https://${SPAM_WORD}.example/`, audience: "everyone" }],
    }),
  );
  await send("message", (tx) =>
    startConversation(
      tx,
      me,
      NewConversation.parse({ to: ["mira", "tomas"].slice(n % 2), name: "", body: SPAM }),
    ),
  );
  await send("message to one", (tx) =>
    startConversation(tx, me, NewConversation.parse({ to: ["mira"], name: "", body: SPAM })),
  );
  expect((await getPerson(db, mira, me.id)).about?.bioMd).toBe("");
  return me;
}

/** One honest newcomer: introduces themselves with a link, and is not given up before others read it. */
async function welcomeNewcomer(site: Site, n: number, outcomes: Outcomes): Promise<void> {
  const { ada, ines, tomas, mira, group, discussion } = site;
  // Every tenth has an address of a blocked domain at first, every fifth a browser without scripts.
  const who = {
    name: `Nora ${n}`,
    from: clientInfo(`172.16.${n >> 8}.${n & 255}`),
    solvesProof: n % 5 !== 0,
  };
  if (n % 10 === 3) {
    const refused = await register({ ...who, email: `nora${n}@throwaway.example` });
    expect(refused).toMatchObject({
      refusal: { fields: { email: expect.stringMatching(/Reason: Much spam.*write to help@kith.example/) } },
    });
    outcomes.add("sign-up refused with the contact");
  }
  const registered = await register({ ...who, email: `nora${n}@example.net` });
  if (registered.kind !== "active" && registered.kind !== "waits")
    throw new Error(`newcomer ${n} has no account: ${JSON.stringify(registered)}`);
  const me = registered.person;
  if (registered.kind === "waits") {
    const { accounts } = await listAccounts(db, ines, { state: "pending_approval", search: `Nora ${n}` });
    expect(accounts.map(({ id }) => id)).toContain(me.id);
    await approveAccount(app, ada, me.id);
    outcomes.add("account approved");
  }
  await within((tx) => joinGroup(tx, me, { groupId: group.id }));
  const bio = `I am Nora ${n} and bake. My page: https://nora${n}.example/`;
  await within((tx) => updateProfileOrAwaitApproval(tx, me, me.id, { bio }));
  await within((tx) =>
    replyOrAwaitApproval(tx, me, NewReply.parse({ discussionId: discussion.id, body: `Hello. ${bio}` })),
  );
  const pending = await listOwnPendingPosts(db, me);
  expect(pending.map(({ place }) => place?.kind).toSorted()).toEqual(["discussion", "profile"]);
  outcomes.add("introduction and profile wait");
  for (const { id, place } of pending)
    await within((tx) => approvePending(tx, place?.kind === "profile" ? ines : tomas, { pendingPostId: id }));
  expect((await getPerson(db, mira, me.id)).about?.bioMd).toBe(bio);
  expect(await listOwnPendingProfiles(db, me)).toEqual([]);
  outcomes.add("introduction and profile published");
  clock.pass(60_000);
}

/** Tables of the site that contain the spam word, with the number of rows. */
async function findSpam(): Promise<Record<string, number>> {
  const tables = await many(
    db,
    sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await many(
      db,
      sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)} it
        where it::text ilike ${`%${SPAM_WORD}%`}`,
    );
    if (row!.count > 0) found[name] = row!.count;
  }
  return found;
}

test(
  `no text of ${SPAMMERS} spammers is published, and ${NEWCOMERS} newcomers among them get on`,
  { timeout: FUZZ_TIMEOUT },
  async () => {
    const site = await createSite();
    const [spam, honest] = [new Outcomes(), new Outcomes()];
    const every = SPAMMERS / NEWCOMERS;
    let last: SignedIn | null = null;
    for (let n = 0; n < SPAMMERS; n++) {
      last = (await sendSpam(site, n, spam)) ?? last;
      if (n % every === 0) await welcomeNewcomer(site, n / every, honest);
    }
    const stored = await findSpam();
    if (requestedCases > 0) console.info(JSON.stringify({ spam, honest, stored }, null, 2));
    expect(Object.keys(stored).filter((table) => !UNPUBLISHED.includes(table))).toEqual([]);
    // The texts exist: their authors have accounts, and moderators find them among what waits.
    expect(stored["pending_posts"]).toBeGreaterThan(0);
    expect(Object.keys(spam.toJSON()).filter((outcome) => outcome.endsWith(": published"))).toEqual([]);
    for (const viewer of [site.mira, site.guest]) {
      const reads = [
        await listResources(db, viewer, {}),
        await getPerson(db, viewer, last!.id),
        viewer.id === null ? [] : await listDirectory(db, viewer, {}),
      ];
      expect(JSON.stringify(reads)).not.toContain(SPAM_WORD);
    }
    expect(honest.get("introduction and profile published")).toBe(NEWCOMERS);
  },
);
