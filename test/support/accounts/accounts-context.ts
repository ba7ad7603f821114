import { beforeEach } from "vitest";
import { createTestAccounts, type TestAccountsOptions } from "./test-accounts.ts";
import { sendAccountMails } from "../account-mails.ts";
import type { TestDatabase } from "../setup/test-database.ts";
import { many, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import type { SignedIn } from "#community/rules";
import type { SiteSettings } from "#community/settings";
import {
  addPerson,
  type ClientInfo,
  hashPassword,
  type NewPerson,
} from "../../../src/community/accounts/index.ts";

/**
 * Setup for account tests: an accounts context with fresh rate limits per test, people, and access to their
 * mail.
 */
export const ADMIN: SignedIn = {
  id: "01900000-0000-7000-8000-00000000ad01",
  role: "admin",
  trust: "established",
  limited: false,
};
export const PASSWORD = "seven brown hens";

export const clientInfo = (address = "203.0.113.7", more: Partial<ClientInfo> = {}): ClientInfo => ({
  address,
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  acceptLanguage: "en-GB,en;q=0.9",
  ...more,
});

export function createAccountsContext(database: TestDatabase, options: TestAccountsOptions = {}) {
  const open = () => createTestAccounts(database, options);
  const app = {
    ...open(),
    /** Opens a second context, as another process would. */
    another: open,
    set: (changes: Partial<SiteSettings>) =>
      database.inTransaction((tx) => app.settings.set(tx, ADMIN, changes)),
    /** Creates a member, with the test password by default. */
    member: async (person: Partial<NewPerson> & { username: string }): Promise<SignedIn> => {
      const id = await database.inTransaction(async (tx) =>
        addPerson(tx, {
          name: person.username,
          email: `${person.username}@example.org`,
          passwordHash: await testHash,
          ...person,
        }),
      );
      return testViewer(id, person.role);
    },
    /** Returns the newest email to an address. */
    mailTo: async (address: string) => {
      await sendAccountMails(database, app);
      return (await listMailbox(database.db, address))[0];
    },
    /** Returns the token of the link in the newest email to an address. */
    tokenTo: async (address: string) =>
      /token=([\w-]+)/.exec((await app.mailTo(address))?.text ?? "")?.[1] ?? "",
    events: async (type: string) =>
      (
        await many(
          database.db,
          sql<{
            payload: Record<string, unknown>;
          }>`select payload from outbox where type = ${type} order by id`,
        )
      ).map((row) => row.payload),
  };
  beforeEach(() => void Object.assign(app, open()));
  return app;
}

const testHash = hashPassword(PASSWORD);

export const testViewer = (id: string, role: SignedIn["role"] = "member"): SignedIn => ({
  id,
  role,
  trust: "new",
  limited: false,
});
