import { randomBytes } from "node:crypto";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { describe, expect, test } from "vitest";
import { HOUR } from "#platform/clock";
import { one, sql } from "#platform/database";
import { createSigner } from "#platform/signing";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { checkProof, createProofChallenge, purgeUsedProofs, useProof } from "../index.ts";

const database = await testDatabase();
const { clock, inTransaction: within } = database;

const createApp = ({ on = true, key = randomBytes(32) } = {}) => ({
  settings: { get: async () => ({ proofForRegistration: on, proofForReports: on }) },
  signer: createSigner(key),
  now: () => clock.at,
  proofEffort: 5,
});
type App = ReturnType<typeof createApp>;

async function solve(app: App) {
  const challenge = (await createProofChallenge(app, "register"))!;
  const solution = (await solveChallenge({ challenge, deriveKey }))!;
  return { challenge, solution };
}
const check = (app: App, proof: object) => checkProof(app, "register", JSON.stringify(proof));
const countUsed = async () =>
  (await one(database.db, sql<{ count: number }>`select count(*)::int as count from used_proofs`)).count;
const EXPIRED = { reason: "invalid", message: "The form has expired. Send it again." };

describe("proof of work", () => {
  test("is accepted once, also of two concurrent uses", async () => {
    const app = createApp();
    const proof = await check(app, await solve(app));
    if (typeof proof === "string") throw new Error(proof);
    const uses = await Promise.allSettled([1, 2].map(() => within((tx) => useProof(tx, proof))));
    expect(uses.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(within((tx) => useProof(tx, proof))).rejects.toMatchObject(EXPIRED);
  });

  test("is not required where the setting is off, and reported as missing elsewhere", async () => {
    const off = createApp({ on: false });
    expect(await createProofChallenge(off, "register")).toBeNull();
    expect(await checkProof(off, "register", "")).toBe("off");
    expect(await checkProof(createApp(), "register", "")).toBe("missing");
  });

  test("is refused after two hours", async () => {
    const app = createApp();
    const proof = await solve(app);
    clock.pass(2 * HOUR - 1);
    await expect(check(app, proof)).resolves.toBeTypeOf("object");
    clock.pass(1);
    await expect(check(app, proof)).rejects.toMatchObject(EXPIRED);
  });

  test("is refused with another solution, a changed challenge or another server's signature", async () => {
    const app = createApp();
    const { challenge, solution } = await solve(app);
    const { parameters } = challenge;
    const later = { ...(parameters.data as object), expires: clock.at.getTime() + 9 * HOUR };
    for (const forged of [
      { challenge, solution: { ...solution, derivedKey: "00".repeat(32) } },
      { challenge: { ...challenge, parameters: { ...parameters, data: later } }, solution },
      { challenge: { ...challenge, parameters: { ...parameters, keySignature: "00" } }, solution },
      { challenge: { ...challenge, parameters: { ...parameters, cost: 1 } }, solution },
      await solve(createApp()),
    ])
      await expect(check(app, forged)).rejects.toMatchObject(EXPIRED);
  });

  test("is refused on another form", async () => {
    const app = createApp();
    await expect(checkProof(app, "report", JSON.stringify(await solve(app)))).rejects.toMatchObject(EXPIRED);
  });

  test.each(["x", "{}", "[]", "null", '{"challenge":null}', `{"a":"${"a".repeat(3_000)}"}`])(
    "is refused if it cannot be read: %.20s",
    async (given) => {
      await expect(checkProof(createApp(), "register", given)).rejects.toMatchObject(EXPIRED);
    },
  );

  test("is forgotten once its challenge has expired, also while others are used", async () => {
    const app = createApp();
    const use = async () => {
      const proof = await check(app, await solve(app));
      if (typeof proof === "object") await within((tx) => useProof(tx, proof));
    };
    await use();
    clock.pass(3 * HOUR);
    await use();
    expect(await countUsed()).toBe(1);
    clock.pass(3 * HOUR);
    expect(await within(purgeUsedProofs)).toBe(1);
    expect(await countUsed()).toBe(0);
  });
});
