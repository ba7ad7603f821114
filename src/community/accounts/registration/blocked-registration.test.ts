import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import {
  blockAddress,
  BlockedAddressForm,
  listBlockedAddresses,
  saveWatchedWord,
  unblockAddress,
  WatchedWordForm,
} from "#community/prevention";
import type { Viewer } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { clientInfo, createAccountsContext } from "../../../../test/support/accounts/accounts-context.ts";
import { createRegistrationSetup } from "../../../../test/support/accounts/registration-setup.ts";
import { changePendingAddress } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database, { registerInvited: () => Promise.resolve(true) });
const { registerPerson } = createRegistrationSetup(database, app);
const createAdmin = () => app.member({ username: "root", role: "admin", email: "root@kith.example" });
const block = (who: Viewer, address: string, days = "0") =>
  database.inTransaction((tx) =>
    blockAddress(tx, who, BlockedAddressForm.parse({ address, reason: "Much spam.", days }), "203.0.113.9"),
  );

describe("blocked addresses", () => {
  test.each([
    ["example.org", "zoe@example.org"],
    ["example.org", "zoe@mail.Example.org"],
    ["zoe@example.org", "Zoe+2@example.org"],
  ])(
    "such as “%s” keep %s from registering, with reason and contact in the error",
    async (address, email) => {
      await app.set({ contact: "help@kith.example" });
      await block(await createAdmin(), address);
      await expect(registerPerson({ email })).rejects.toMatchObject({
        reason: "not-allowed",
        fields: {
          email:
            `Addresses of “${address}” are blocked here. Reason: Much spam. ` +
            "If this is a mistake, write to help@kith.example.",
        },
      });
      await expect(registerPerson({ email: "zoe@example.com" })).resolves.toBeDefined();
    },
  );

  test.each([
    ["198.51.100.0/24", "198.51.100.77", "198.51.101.77"],
    ["2001:db8:7::/48", "2001:db8:7:1::1", "2001:db8:8:1::1"],
  ])("in the network %s keep people from registering", async (network, inside, outside) => {
    await block(await createAdmin(), network);
    await expect(registerPerson({}, clientInfo(inside))).rejects.toThrow(/Your network is blocked/);
    await expect(registerPerson({}, clientInfo(outside))).resolves.toBeDefined();
  });

  test("cannot be entered when a registration's address is corrected", async () => {
    await block(await createAdmin(), "bad.example");
    const { pending } = await registerPerson();
    await expect(changePendingAddress(app, pending, "zoe@bad.example", clientInfo())).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });

  test("expire or can be removed, and can be blocked again afterwards", async () => {
    const admin = await createAdmin();
    const { id } = await block(admin, "example.org", "7");
    await expect(block(admin, "Example.org")).rejects.toMatchObject({ fields: { address: /already/ } });
    database.clock.pass(8 * DAY);
    await expect(registerPerson()).resolves.toBeDefined();
    expect((await listBlockedAddresses(database.db, admin, {})).rows).toMatchObject([
      { id, value: "example.org", reason: "Much spam.", createdBy: { id: admin.id } },
    ]);
    const again = await block(admin, "example.org");
    await database.inTransaction((tx) => unblockAddress(tx, admin, again.id));
    expect((await listBlockedAddresses(database.db, admin, { search: "example" })).rows).toEqual([]);
  });

  test.each(["203.0.113.0/24", "203.0.113.9", "kith.example", "root@kith.example"])(
    "cannot include the moderator's own (%s)",
    async (address) => {
      await expect(block(await createAdmin(), address)).rejects.toMatchObject({
        fields: { address: /yourself|own account/ },
      });
    },
  );

  test("can be managed by staff only", async () => {
    const mira = await app.member({ username: "mira" });
    await expect(block(mira, "example.org")).rejects.toMatchObject({ reason: "not-found" });
    await expect(listBlockedAddresses(database.db, mira, {})).rejects.toMatchObject({ reason: "not-found" });
  });
});

test("a display name with a watched word is refused at registration", async () => {
  const admin = await createAdmin();
  await database.inTransaction((tx) =>
    saveWatchedWord(tx, admin, WatchedWordForm.parse({ phrase: "casino*", action: "block" })),
  );
  await expect(registerPerson({ name: "Casino Zoë" })).rejects.toMatchObject({
    fields: { name: /“Casino”/ },
  });
});
