import { ExtensionFault } from "#backend/extensions";
import { TableFault } from "#backend/tables";
import { HTTP_STATUS, type Refusal } from "#platform/refusal";

/**
 * The one table from what was refused (`kind` of a refusal) to the number that clients know it by. Where no status is given it is
 * 400: clients look at the number. A message stands here where clients know the refusal by its words. A refusal without a kind, or of a kind that has no number, goes by its reason, as for people.
 */
const CODES: Record<string, { code: number; status?: number; message?: string }> = {
  // Data.
  "object-not-found": { code: 1000 },
  "table-not-found": { code: 1009 },
  // Addressing and keys.
  "wrong-key": { code: 2002 },
  // Roles.
  "role-not-found": { code: 2005 },
  "system-role-assigned": { code: 2007 },
  "system-role-unassigned": { code: 2008 },
  "server-key-for-roles": { code: 2011 },
  "server-key-needed": { code: 2011, status: 403 },
  "login-by-id": { code: 2014 },
  // Users.
  "already-signed-in": { code: 3002 },
  "wrong-login": { code: 3003 },
  "registration-closed": { code: 3009, status: 403, message: "User registration is denied for this version of application" },
  "no-password": { code: 3011 },
  "no-identity": { code: 3013 },
  "provider-failed": { code: 3014 },
  "identity-unknown": { code: 3020 },
  "user-invalid": { code: 3021 },
  "identity-taken": { code: 3033 },
  "account-locked": { code: 3036 },
  "no-properties": { code: 3038 },
  "property-id": { code: 3039 },
  "bad-email": { code: 3040 },
  "too-many-logins": { code: 3044 },
  "server-key-for-status": { code: 3054 },
  "token-unknown": { code: 3064 },
  "unconfirmed-email": { code: 3087 },
  "account-disabled": { code: 3090 },
  "no-session": { code: 3121 },
  "server-key-for-password": { code: 3122 },
  // Mail.
  "no-such-mail-template": { code: 24002 },
  // Devices.
  "device-unknown": { code: 5001, status: 404 },
  // Files.
  "file-not-found": { code: 6000, status: 404 },
  "path-not-found": { code: 6007, status: 404 },
};

/** How a program is told of a refusal. */
export function toldOf(refusal: Refusal): { code: number; status: number; message: string } {
  const { kind, reason, message } = refusal;
  // Tables speak of nothing but what programs ask for: theirs are the numbers of programs from the start.
  if (refusal instanceof TableFault) return { code: refusal.code, status: reason === "not-allowed" ? 403 : 400, message };
  if (refusal instanceof ExtensionFault) return { code: refusal.code, status: reason === "unavailable" ? 503 : 400, message };
  const known = kind === undefined || !Object.hasOwn(CODES, kind) ? undefined : CODES[kind];
  const status = HTTP_STATUS[reason];
  return known ? { message, status: 400, ...known } : { code: status, status, message };
}
