import { Refusal } from "#platform/refusal";
import { LIMITS } from "#community/rules";
import type { SiteSettings } from "#community/settings";

const { min, staffMin, max, differentCharacters } = LIMITS.password;

let common: Promise<Set<string>> | null = null;

/** Common passwords, loaded when first needed: most processes never do. */
const commonOnes = () =>
  (common ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"])));

/** The password may not contain its owner's names. */
type Owner = { username: string; email: string | null; staff?: boolean };

/** @throws `invalid` on `password` with what is missing */
export async function checkPassword(password: string, owner: Owner, data?: Record<string, unknown>): Promise<void> {
  const fault =
    shapeFault(password, owner) ??
    ((await isCommon(password)) ? "That password is among the first that others would try. Several words in a row are good." : null);
  if (fault) throw new Refusal("invalid", fault, { fields: { password: fault }, kind: "user-invalid", ...(data && { data }) });
}

/**
 * The same for passwords from API clients, where the rules for members are a setting. The refusal names the
 * setting for developers.
 */
export async function checkApiPassword(
  { passwordRules }: Pick<SiteSettings, "passwordRules">,
  password: string,
  owner: Owner,
): Promise<void> {
  if (passwordRules || owner.staff)
    return checkPassword(password, owner, owner.staff ? undefined : { setting: "KITH_API_DEFAULTS=hosted" });
  if (password.length <= max) return;
  const fault = `Please use at most ${max} characters.`;
  throw new Refusal("invalid", fault, { fields: { password: fault }, kind: "user-invalid" });
}

function shapeFault(password: string, { username, email, staff }: Owner): string | null {
  const least = staff ? staffMin : min;
  const characters = Array.from(password);
  if (characters.length < least) return `Please use at least ${least} characters.`;
  if (characters.length > max) return `Please use at most ${max} characters.`;
  if (new Set(characters).size < differentCharacters) return `Please use at least ${differentCharacters} different characters.`;
  const lower = password.toLowerCase();
  const names = [username.toLowerCase(), email?.split("@")[0]?.toLowerCase() ?? ""];
  if (names.some((name) => name.length >= 4 && lower.includes(name))) return "Please leave your name and your mail address out of it.";
  return null;
}

/** A common word stays common with digits and signs around it. */
async function isCommon(password: string): Promise<boolean> {
  const known = await commonOnes();
  const lower = password.toLowerCase();
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return known.has(lower) || (bare.length >= 4 && known.has(bare));
}
