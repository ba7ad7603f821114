import { beforeEach, describe, expect, test } from "vitest";
import { Limits } from "#platform/limits";
import { blockAddress, BlockedAddressForm } from "#community/prevention";
import { openSettings } from "#community/settings";
import { createGuestReportSetup } from "../../../../test/support/moderation/guest-report-setup.ts";
import { createReportSetup } from "../../../../test/support/moderation/report-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
const { report: reportAsMember, setupReportedPost } = createReportSetup(database);
const guests = createGuestReportSetup(database);
beforeEach(() => void Object.assign(guests.app, { limits: new Limits(), settings: openSettings(database) }));
const { submit, token, confirm, mailsTo, countStored } = guests;

const setup = async () => {
  const place = await setupReportedPost("public");
  return { ...place, subject: { kind: "post", subjectId: place.post.id } };
};

describe("limits of guests' reports", () => {
  test("a blocked address is refused, on the form and by the link", async () => {
    const { ada, subject } = await setup();
    await submit(subject);
    const form = BlockedAddressForm.parse({ address: "example.net", reason: "Spam.", days: "0" });
    await within((tx) => blockAddress(tx, ada, form, "198.51.100.1"));
    const refusal = { reason: "not-allowed", fields: { email: expect.stringContaining("Reason: Spam.") } };
    await expect(submit(subject)).rejects.toMatchObject(refusal);
    await expect(confirm(await token())).rejects.toMatchObject(refusal);
    expect((await countStored()).reports).toBe(0);
  });

  test("a filled honeypot gets the same response, and nothing is stored or mailed", async () => {
    const { subject } = await setup();
    await expect(submit(subject, { honeypot: "http://spam.example" })).resolves.toBeUndefined();
    expect((await countStored()).guests).toBe(0);
    expect(await mailsTo()).toEqual([]);
  });

  test("an address sends three a day, a network five an hour, and one without a proof of work", async () => {
    const { subject } = await setup();
    const tooMany = { reason: "too-many", message: expect.stringContaining("Members can still report.") };
    for (const n of [1, 2, 3]) await submit(subject, { address: `203.0.${n}.7` });
    await expect(submit(subject, { address: "203.0.4.7" })).rejects.toMatchObject(tooMany);
    const from = (n: number, proof: "off" | "missing" = "off") =>
      submit({ ...subject, email: `g${n}@example.net` }, { address: "198.51.100.7", proof });
    for (const n of [1, 2, 3, 4, 5]) await from(n);
    await expect(from(6)).rejects.toMatchObject(tooMany);
    await from(7, "missing");
    await expect(from(8, "missing")).rejects.toMatchObject(tooMany);
  });

  test("let through a hundred of 10,000 in a minute; refusals cost no query, and members can report", async () => {
    const { mira, post, subject } = await setup();
    let queries = 0;
    const counting = {
      ...database,
      inTransaction: ((work) => {
        queries += 1;
        return within(work);
      }) as typeof within,
    };
    Object.assign(guests.app, { database: counting });
    let refused = 0;
    for (let n = 0; n < 10_000; n++)
      await submit(
        { ...subject, email: `g${n}@example.net` },
        { address: `10.${n >> 8}.${n & 255}.7` },
      ).catch((error: { reason: string }) => {
        if (error.reason !== "too-many") throw error;
        refused += 1;
      });
    Object.assign(guests.app, { database });
    expect(refused).toBe(9_900);
    expect(queries).toBe(100);
    expect((await countStored()).guests).toBe(100);
    await expect(reportAsMember(mira, post.id)).resolves.toBeDefined();
  });
});
