import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import type { ProofChallenge } from "#community/prevention";

/**
 * Solves a challenge and returns the text that the form sends; null where the browser cannot. The browser
 * derives each key outside of the page's thread, so the page stays responsive.
 */
export async function solveProof(challenge: ProofChallenge, signal: AbortSignal): Promise<string | null> {
  const controller = new AbortController();
  signal.addEventListener("abort", () => controller.abort());
  const solution = await solveChallenge({ challenge, deriveKey, controller });
  return solution && JSON.stringify({ challenge, solution });
}
