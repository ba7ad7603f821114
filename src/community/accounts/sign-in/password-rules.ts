import { type Message, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { LIMITS } from "#community/rules";
import type { SiteSettings } from "#community/settings";

const { min, staffMin, max, differentCharacters } = LIMITS.password;

let commonPasswords: Promise<Set<string>> | null = null;

/** Loads the common passwords at their first use: most processes never need them. */
const loadCommonPasswords = () =>
  (commonPasswords ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"]),
  ));

/** Owner of a password, which may not contain the owner's names. */
type PasswordOwner = { username: string; email: string | null; staff?: boolean };

/**
 * Asserts the password rules.
 * @throws `invalid` on `password` with the rule that is not met
 */
export async function assertPasswordAllowed(
  password: string,
  owner: PasswordOwner,
  data?: Record<string, unknown>,
): Promise<void> {
  const fault =
    findPasswordFault(password, owner) ?? ((await isCommonPassword(password)) ? TOO_COMMON.text : null);
  if (fault)
    throw new Refusal("invalid", fault, {
      fields: { password: fault },
      kind: "user-invalid",
      ...(data && { data }),
    });
}

/**
 * Asserts the rules for passwords from API clients. For members, a site setting can switch these rules off.
 * The refusal names the setting for developers.
 */
export async function assertApiPasswordAllowed(
  { passwordRules }: Pick<SiteSettings, "passwordRules">,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  if (passwordRules || owner.staff)
    return assertPasswordAllowed(
      password,
      owner,
      owner.staff ? undefined : { setting: "KITH_API_DEFAULTS=hosted" },
    );
  if (password.length <= max) return;
  const fault = msg("At most {count} characters.", { count: max });
  throw new Refusal("invalid", fault, { fields: { password: fault }, kind: "user-invalid" });
}

const NAME_IN_PASSWORD = { text: "The password cannot contain your name or email address." };
const TOO_COMMON = { text: "This password is too common. Several words in a row are a good choice." };

function findPasswordFault(password: string, { username, email, staff }: PasswordOwner): Message | null {
  const least = staff ? staffMin : min;
  const characters = Array.from(password);
  if (characters.length < least) return msg("At least {count} characters.", { count: least });
  if (characters.length > max) return msg("At most {count} characters.", { count: max });
  if (new Set(characters).size < differentCharacters)
    return msg("At least {count} different characters.", { count: differentCharacters });
  const lower = password.toLowerCase();
  const names = [username.toLowerCase(), email?.split("@")[0]?.toLowerCase() ?? ""];
  if (names.some((name) => name.length >= 4 && lower.includes(name))) return NAME_IN_PASSWORD.text;
  return null;
}

/** A common password is refused also with digits and signs before or after it. */
async function isCommonPassword(password: string): Promise<boolean> {
  const known = await loadCommonPasswords();
  const lower = password.toLowerCase();
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return known.has(lower) || (bare.length >= 4 && known.has(bare));
}
