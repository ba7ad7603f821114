import { randomBytes } from "node:crypto";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { confirmEmail, createFormToken, NewAccount, register } from "#community/accounts";
import { checkProof, createProofChallenge, useProof } from "#community/prevention";
import { Refusal } from "#platform/refusal";
import { createSigner } from "#platform/signing";
import type { SignedIn } from "#community/rules";
import {
  type clientInfo,
  type createAccountsContext,
  PASSWORD,
  testViewer,
} from "../accounts/accounts-context.ts";
import type { TestDatabase } from "../setup/test-database.ts";

type Registrant = {
  name: string;
  email: string;
  from: ReturnType<typeof clientInfo>;
  /** Whether the browser solves the proof of work. */
  solvesProof: boolean;
  /** Content of the field that people cannot see. */
  honeypot?: string;
};
/** A person whose account is open, one whose account waits for approval, or why there is no account. */
export type Registered =
  | { kind: "active" | "waits"; person: SignedIn }
  | { kind: "pretended" }
  | { kind: "refused"; refusal: Refusal };

/** Registers people as the registration page does, with a proof of work, and confirms their addresses. */
export function createRegistrations(database: TestDatabase, app: ReturnType<typeof createAccountsContext>) {
  const proofs = Object.assign(app, { signer: createSigner(randomBytes(32)), proofEffort: 5 });

  async function prove(solvesProof: boolean) {
    const challenge = solvesProof ? await createProofChallenge(proofs, "register") : null;
    const solution = challenge && (await solveChallenge({ challenge, deriveKey }));
    const sent = solution ? JSON.stringify({ challenge, solution }) : "";
    const proof = await checkProof(proofs, "register", sent);
    if (typeof proof === "object") await database.inTransaction((tx) => useProof(tx, proof));
    return proof;
  }

  async function submit({ name, email, from, solvesProof, honeypot = "" }: Registrant): Promise<Registered> {
    const started = createFormToken(app);
    database.clock.pass(3_000);
    const proof = await prove(solvesProof);
    const input = NewAccount.parse({ name, email, password: PASSWORD });
    const { id } = await register(app, input, from, {
      botCheck: { honeypot, started },
      needsApproval: proof === "missing",
    });
    const token = await app.tokenTo(email);
    if (honeypot !== "" || token === "") return { kind: "pretended" };
    const confirmed = await confirmEmail(app, token, { password: PASSWORD });
    if (confirmed.kind !== "confirmed") throw new Error("the password does not confirm the registration");
    return { kind: confirmed.state === "active" ? "active" : "waits", person: testViewer(id) };
  }

  return (who: Registrant): Promise<Registered> =>
    submit(who).catch((refusal: unknown) => {
      if (refusal instanceof Refusal) return { kind: "refused", refusal };
      throw refusal;
    });
}

/** Counts outcomes by name, and reports them sorted. */
export class Outcomes {
  readonly #counts = new Map<string, number>();

  add(outcome: string): void {
    this.#counts.set(outcome, this.get(outcome) + 1);
  }
  get(outcome: string): number {
    return this.#counts.get(outcome) ?? 0;
  }
  /** Runs an action and counts whether its text waits, was refused or was published. */
  async run(name: string, action: () => Promise<unknown>): Promise<void> {
    try {
      const result = await action();
      const waits =
        typeof result === "object" && result !== null && "waits" in result && result.waits !== false;
      this.add(`${name}: ${waits ? "waits" : "published"}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.add(`${name}: ${error.reason}`);
    }
  }
  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => a.localeCompare(b)));
  }
}
