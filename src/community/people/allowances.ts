import type { Allowance } from "#platform/limits";
import { hashOf } from "#platform/ids";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How much is too much (product rules, 4.9). */
export const ALLOWANCES = {
  signInMinute: { points: 6, seconds: MINUTE },
  signInHour: { points: 30, seconds: HOUR },
  signInAccount: { points: 25, seconds: HOUR },
  secondStep: { points: 25, seconds: HOUR },
  resend: { points: 1, seconds: MINUTE },
  resendAddress: { points: 20, seconds: HOUR },
  mailLink: { points: 5, seconds: 30 * MINUTE },
  mailLinkAddress: { points: 25, seconds: 5 * MINUTE },
  ownPassword: { points: 10, seconds: 10 * MINUTE },
  /** For one address: pages ask by themselves, and a household has several people. */
  passkey: { points: 60, seconds: 5 * MINUTE },
  passkeyOwn: { points: 20, seconds: 10 * MINUTE },
  guests: { points: 60, seconds: HOUR },
} satisfies Record<string, Allowance>;

export const accountsPerDay = (points: number): Allowance => ({ points, seconds: DAY });
export const registrationTries = (points: number): Allowance => ({ points, seconds: 30 * MINUTE });

/** Whom an address stands for: in IPv6 a household has 2^64 of them, so its network is taken. */
export function placeOf(address: string): string {
  if (!address.includes(":")) return address;
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (v4) return v4[1]!;
  const [head = "", tail] = address.toLowerCase().split("%")[0]!.split("::");
  const first = head.split(":").filter(Boolean);
  const last = tail?.split(":").filter(Boolean) ?? [];
  const groups = tail === undefined ? first : [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0"), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/** Addresses are never stored as they are. */
export const placeHash = (address: string) => hashOf(`place:${placeOf(address)}`);
