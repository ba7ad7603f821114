import type { Allowance } from "#platform/limits";
import { clientNetwork } from "#platform/client-address";
import { hashSecret } from "#platform/ids";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Account rate limits (product rules, 4.9). */
export const ACCOUNT_LIMITS = {
  /**
   * Accounts per network with failed attempts; failures per account are counted elsewhere (`back-off.ts`).
   */
  signInMinute: { points: 30, seconds: MINUTE },
  signInHour: { points: 150, seconds: HOUR },
  signInAccount: { points: 25, seconds: HOUR },
  secondStep: { points: 25, seconds: HOUR },
  resend: { points: 1, seconds: MINUTE },
  resendAddress: { points: 20, seconds: HOUR },
  mailLink: { points: 5, seconds: 30 * MINUTE },
  mailLinkAddress: { points: 25, seconds: 5 * MINUTE },
  ownPassword: { points: 10, seconds: 10 * MINUTE },
  /** Per address: pages request challenges automatically, and several people share a household. */
  passkey: { points: 60, seconds: 5 * MINUTE },
  passkeyOwn: { points: 20, seconds: 10 * MINUTE },
  guests: { points: 60, seconds: HOUR },
} satisfies Record<string, Allowance>;

export const dailyAccountLimit = (points: number): Allowance => ({ points, seconds: DAY });
export const registrationAttemptLimit = (points: number): Allowance => ({ points, seconds: 30 * MINUTE });

/** Key of an email address in limits. */
export const emailLimitKey = (email: string): string => hashSecret(email.toLowerCase()).toString("base64url");

/** Addresses are stored as hashes only. */
export const hashNetwork = (address: string) => hashSecret(`place:${clientNetwork(address)}`);
