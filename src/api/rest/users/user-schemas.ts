import { z } from "zod";
import { parsedByHandler } from "../endpoint.ts";
import { msg } from "#platform/messages";
import { isObject } from "#platform/objects";
import { Refusal } from "#platform/refusal";

const textParam = (most = 1_000) =>
  z.union([z.string(), z.number()]).transform(String).pipe(z.string().max(most));

export const LoginForm = z.object({
  login: textParam().optional(),
  password: textParam().optional(),
  objectId: textParam(100).optional(),
  /** Second-factor code, for accounts that have one. Not part of the hosted service's API. */
  code: textParam(100).optional(),
});
export const StatusForm = z.object({
  userStatus: z.enum(["ENABLED", "DISABLED"], "must be ENABLED or DISABLED"),
});
export const RoleForm = z.object({ user: textParam(400), roleName: textParam(100) });
export const PasswordForm = z.object({ password: textParam() });

/** Account fields of a user record; other properties are custom ones. */
const AccountFields = z.object({
  email: textParam(400).nullish(),
  password: textParam().nullish(),
  name: textParam(400).nullish(),
  username: textParam(100).nullish(),
  blUserLocale: z.string().nullish(),
  objectId: z.string().nullish(),
});

/** The handlers parse this body, because errors in user records have codes of their own. */
export const UserBody = parsedByHandler(z.looseObject(AccountFields.shape));
export const NewUserBody = parsedByHandler(
  z.looseObject({ ...AccountFields.shape, email: z.string(), password: textParam() }),
);

/** A user in an answer, with the properties that apps have added. */
export const UserRecord = z
  .looseObject({
    objectId: z.string(),
    ownerId: z.string().optional(),
    ___class: z.literal("Users"),
    created: z.int().optional(),
    updated: z.int().nullable().optional(),
    name: z.string().optional(),
    username: z.string().optional(),
    email: z.string().nullable().optional(),
    userStatus: z.string().optional(),
  })
  .meta({ id: "User" });
export const SignedInUser = z
  .looseObject({ ...UserRecord.shape, "user-token": z.string() })
  .meta({ id: "SignedInUser" });

/** Splits a user record into account fields and custom properties. */
export function parseUserRecord(body: unknown) {
  if (!isObject(body))
    throw new Refusal("invalid", "A user must be an object with properties.", {
      kind: body === undefined ? "no-password" : "user-invalid",
    });
  const parsed = AccountFields.safeParse(body);
  if (!parsed.success)
    throw new Refusal(
      "invalid",
      msg("{path} is not valid.", { path: parsed.error.issues[0]!.path.join(".") }),
      {
        kind: "user-invalid",
      },
    );
  const { email, password, name, username, blUserLocale, objectId } = parsed.data;
  const locale =
    blUserLocale && /^[a-z]{2}/i.test(blUserLocale) ? blUserLocale.slice(0, 2).toLowerCase() : undefined;
  const input = (it: string | null | undefined) => (it === null || it === "" ? undefined : it);
  return {
    email: input(email),
    password: input(password),
    name: input(name),
    username: input(username),
    locale,
    objectId: input(objectId),
    properties: body,
  };
}
