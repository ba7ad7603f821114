import { ExtensionFault } from "#baas/extensions";
import { TableFault } from "#baas/data";
import { HTTP_STATUS, type Refusal } from "#platform/refusal";

/**
 * Error codes that clients expect, by the `kind` of a refusal. The HTTP status is 400 unless given, because
 * clients look at the code. A message is given where clients compare the text. Refusals of other kinds are
 * described by their reason.
 */
const ERROR_CODES: Record<string, { code: number; status?: number; message?: string }> = {
  "object-not-found": { code: 1000 },
  "table-not-found": { code: 1009 },
  "wrong-key": { code: 2002 },
  "role-not-found": { code: 2005 },
  "system-role-assigned": { code: 2007 },
  "system-role-unassigned": { code: 2008 },
  "server-key-for-roles": { code: 2011 },
  "server-key-needed": { code: 2011, status: 403 },
  "login-by-id": { code: 2014 },
  "already-signed-in": { code: 3002 },
  "wrong-login": { code: 3003 },
  "registration-closed": {
    code: 3009,
    status: 403,
    message: "User registration is denied for this version of application",
  },
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
  "no-such-mail-template": { code: 24002 },
  "device-unknown": { code: 5001, status: 404 },
  "file-not-found": { code: 6000, status: 404 },
  "path-not-found": { code: 6007, status: 404 },
};

/** Error code, status and message of a refusal for API clients. */
export function describeRefusal(refusal: Refusal): { code: number; status: number; message: string } {
  const { kind, reason, message } = refusal;
  // Table faults already have the code that clients expect.
  if (refusal instanceof TableFault)
    return { code: refusal.code, status: reason === "not-allowed" ? 403 : 400, message };
  if (refusal instanceof ExtensionFault)
    return { code: refusal.code, status: reason === "unavailable" ? 503 : 400, message };
  const known = kind === undefined || !Object.hasOwn(ERROR_CODES, kind) ? undefined : ERROR_CODES[kind];
  const status = HTTP_STATUS[reason];
  return known ? { message, status: 400, ...known } : { code: status, status, message };
}
