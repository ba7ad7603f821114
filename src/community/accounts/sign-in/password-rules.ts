import { Refusal } from "#platform/refusal";
import { LIMITS } from "#community/rules";
import type { SiteSettings } from "#community/settings";

const { min, staffMin, max, differentCharacters } = LIMITS.password;

let commonPasswords: Promise<Set<string>> | null = null;

/** Common passwords, loaded when first needed: most processes never do. */
const loadCommonPasswords = () =>
  (commonPasswords ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"])));

/** The password may not contain its owner's names. */
type PasswordOwner = { username: string; email: string | null; staff?: boolean };

/** @throws `invalid` on `password` with what is missing */
export async function assertPasswordAllowed(password: string, owner: PasswordOwner, data?: Record<string, unknown>): Promise<void> {
  const fault =
    findPasswordFault(password, owner) ??
    ((await isCommonPassword(password))
      ? "That password is among the first that others would try. Several words in a row are good."
      : null);
  if (fault) throw new Refusal("invalid", fault, { fields: { password: fault }, kind: "user-invalid", ...(data && { data }) });
}

/**
 * The same for passwords from API clients, where the rules for members are a setting. The refusal names the
 * setting for developers.
 */
export async function assertApiPasswordAllowed(
  { passwordRules }: Pick<SiteSettings, "passwordRules">,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  if (passwordRules || owner.staff)
    return assertPasswordAllowed(password, owner, owner.staff ? undefined : { setting: "KITH_API_DEFAULTS=hosted" });
  if (password.length <= max) return;
  const fault = `Please use at most ${max} characters.`;
  throw new Refusal("invalid", fault, { fields: { password: fault }, kind: "user-invalid" });
}

function findPasswordFault(password: string, { username, email, staff }: PasswordOwner): string | null {
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
async function isCommonPassword(password: string): Promise<boolean> {
  const known = await loadCommonPasswords();
  const lower = password.toLowerCase();
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return known.has(lower) || (bare.length >= 4 && known.has(bare));
}
