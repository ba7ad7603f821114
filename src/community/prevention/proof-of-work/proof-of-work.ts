import { randomInt } from "node:crypto";
import { type Challenge, createChallenge, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { z } from "zod";
import { addMilliseconds, HOUR } from "#platform/clock";
import { limit, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { Signer } from "#platform/signing";

/** Forms that can require a proof of work, with the setting that turns it on. */
const SETTINGS = { register: "proofForRegistration", report: "proofForReports" } as const;
export type ProofPurpose = keyof typeof SETTINGS;
export type ProofChallenge = Challenge;

export type ProofContext = {
  settings: { get: () => Promise<Record<(typeof SETTINGS)[ProofPurpose], boolean>> };
  signer: Pick<Signer, "mark">;
  now: () => Date;
  /** Average number of attempts until a challenge is solved. */
  proofEffort: number;
};

/** Iterations of one attempt: about 1 ms on a phone, and 0.3 ms here when a challenge is made. */
const ITERATIONS = 1_000;
const LIFETIME = 2 * HOUR;
/** Maximum characters of a submitted proof: ours have some 700. */
const MAX_LENGTH = 2_000;
/** Expired rows that each use deletes, so that the table stays small between two runs of housekeeping. */
const CLEANED_PER_USE = 20;

const secrets = ({ signer }: Pick<ProofContext, "signer">) => ({
  hmacSignatureSecret: signer.mark("proof-of-work", "challenge").toString("hex"),
  hmacKeySignatureSecret: signer.mark("proof-of-work", "solution").toString("hex"),
});

/** A signed challenge for a form of guests; null where the setting requires none. */
export async function createProofChallenge(
  app: ProofContext,
  purpose: ProofPurpose,
): Promise<ProofChallenge | null> {
  if (!(await app.settings.get())[SETTINGS[purpose]]) return null;
  return createChallenge({
    algorithm: "PBKDF2/SHA-256",
    cost: ITERATIONS,
    counter: randomInt(Math.floor(app.proofEffort / 2), Math.floor(app.proofEffort * 1.5) + 1),
    deriveKey,
    data: { purpose, expires: app.now().getTime() + LIFETIME },
    ...secrets(app),
  });
}

const SubmittedProof = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      nonce: z.string().regex(/^[0-9a-f]{32}$/),
      keySignature: z.string(),
      data: z.object({ purpose: z.string(), expires: z.number() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

/** A proof that was checked, to be used up by `useProof` in the transaction that it allows. */
export type CheckedProof = { nonce: Buffer; expires: Date };

/**
 * Checks the proof that a form contains, in less than a millisecond. Returns `off` where none is required, and
 * `missing` for a form without one: browsers without scripts have none.
 * @throws `invalid` for a proof that is wrong, too old or made for another form
 */
export async function checkProof(
  app: ProofContext,
  purpose: ProofPurpose,
  given: string,
): Promise<CheckedProof | "off" | "missing"> {
  if (!(await app.settings.get())[SETTINGS[purpose]]) return "off";
  if (given === "") return "missing";
  const proof = parseProof(given);
  const { nonce, data } = proof?.challenge.parameters ?? {};
  if (!proof || !nonce || data?.purpose !== purpose || data.expires <= app.now().getTime())
    throw expiredForm();
  const { verified } = await verifySolution({
    // The signature, which is checked first, covers the other parameters.
    challenge: proof.challenge,
    solution: proof.solution,
    deriveKey,
    ...secrets(app),
  });
  if (!verified) throw expiredForm();
  return { nonce: Buffer.from(nonce, "hex"), expires: new Date(data.expires) };
}

function parseProof(given: string) {
  if (given.length > MAX_LENGTH) return null;
  try {
    return SubmittedProof.safeParse(JSON.parse(given)).data ?? null;
  } catch {
    return null;
  }
}

const expiredForm = () => new Refusal("invalid", "The form has expired. Send it again.");

/**
 * Uses a checked proof up. Of two concurrent uses of one proof, only the first succeeds.
 * @throws `invalid` for a proof that was used before
 */
export async function useProof(tx: Tx, { nonce, expires }: CheckedProof): Promise<void> {
  await run(
    tx,
    sql`delete from used_proofs where nonce in (
      select nonce from used_proofs where expires_at < ${tx.now} order by expires_at
      ${limit(CLEANED_PER_USE)} for update skip locked)`,
  );
  const used = await run(
    tx,
    sql`insert into used_proofs (nonce, expires_at) values (${nonce}, ${addMilliseconds(expires, 1)})
      on conflict (nonce) do nothing`,
  );
  if (used === 0) throw expiredForm();
}

/** Deletes proofs whose challenge has expired. Called by a job; returns the number. */
export const purgeUsedProofs = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from used_proofs where nonce in (
      select nonce from used_proofs where expires_at < ${tx.now} order by expires_at ${limit(10_000)})`,
  );
