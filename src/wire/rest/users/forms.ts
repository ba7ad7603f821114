import { z } from "zod";
import { Refusal } from "#platform/refusal";

const text = (most = 1_000) => z.union([z.string(), z.number()]).transform(String).pipe(z.string().max(most));

export const LoginForm = z.object({
  login: text().optional(),
  password: text().optional(),
  objectId: text(100).optional(),
  /** Our extension: the second-factor code, for accounts that have one. */
  code: text(100).optional(),
});
export const StatusForm = z.object({ userStatus: z.string().max(40) });
export const RoleForm = z.object({ user: text(400), roleName: text(100) });
export const PasswordForm = z.object({ password: text() });

/** Account fields of a user record; the rest are custom properties. */
const Known = z.object({
  email: text(400).nullish(),
  password: text().nullish(),
  name: text(400).nullish(),
  username: text(100).nullish(),
  blUserLocale: z.string().nullish(),
  objectId: z.string().nullish(),
});

/** Splits a user record into account fields and custom properties. */
export function userFrom(body: unknown) {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Refusal("invalid", "A user is an object with properties.", { kind: body === undefined ? "no-password" : "user-invalid" });
  const read = Known.safeParse(body);
  if (!read.success) throw new Refusal("invalid", `${read.error.issues[0]!.path.join(".")} cannot be like this.`, { kind: "user-invalid" });
  const { email, password, name, username, blUserLocale, objectId } = read.data;
  const locale = blUserLocale && /^[a-z]{2}/i.test(blUserLocale) ? blUserLocale.slice(0, 2).toLowerCase() : undefined;
  const given = (it: string | null | undefined) => (it === null || it === "" ? undefined : it);
  return {
    email: given(email),
    password: given(password),
    name: given(name),
    username: given(username),
    locale,
    objectId: given(objectId),
    properties: body as Record<string, unknown>,
  };
}
