import type { RateLimit } from "#platform/limits";
import { clientNetwork } from "#platform/client-address";
import { hashSecret } from "#platform/ids";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Account rate limits (product rules, 4.9). */
export const ACCOUNT_LIMITS = {
  /**
   * Maximum number of accounts with failed sign-ins per network. Failures per account are limited in
   * `back-off.ts`.
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
  /**
   * Per network address. Pages request challenges automatically, and members of a household share an
   * address.
   */
  passkey: { points: 60, seconds: 5 * MINUTE },
  passkeyOwn: { points: 20, seconds: 10 * MINUTE },
  guests: { points: 60, seconds: HOUR },
} satisfies Record<string, RateLimit>;

export const dailyAccountLimit = (points: number): RateLimit => ({ points, seconds: DAY });
export const registrationAttemptLimit = (points: number): RateLimit => ({ points, seconds: 30 * MINUTE });

/** Rate-limit key of an email address. */
export const emailLimitKey = (email: string): string => hashSecret(email.toLowerCase()).toString("base64url");

/** Hash of the client's network. Addresses themselves are not stored. */
export const hashNetwork = (address: string) => hashSecret(`place:${clientNetwork(address)}`);
