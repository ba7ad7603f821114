import { z } from "zod";
import { LIMITS } from "#community/rules";
import { hasUnambiguousEnding, isReservedUsername } from "./registration/usernames.ts";

/** Form inputs. Error messages address the person who fills in the form. */
const RESERVED_NAME = { text: "This name is reserved. Choose another one." };
const INVISIBLE_CHARACTERS = { text: "Leave out invisible characters." };

export const Email = z
  .string()
  .trim()
  .max(LIMITS.email, "This email address is too long.")
  .pipe(z.email("That is not a valid email address."));

export const DisplayName = z
  .string()
  .transform((name) => name.toWellFormed().normalize("NFC").replace(/\s+/gu, " ").trim())
  .pipe(
    z
      .string()
      .min(1, "Enter a display name.")
      .refine((name) => Array.from(name).length <= LIMITS.displayName, {
        error: "At most {count, number} characters.",
        params: { count: LIMITS.displayName },
      })
      // Bidirectional controls and invisible characters would make one name look like another.
      .refine(
        (name) =>
          !/[\p{Cc}\p{Co}\p{Cs}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u115F\u1160\u2800\u3164\uFFA0]/u.test(
            name,
          ),
        INVISIBLE_CHARACTERS.text,
      )
      .refine((name) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(name), "Enter a display name."),
  );

export const Username = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(
    z
      .string()
      .regex(/^[a-z0-9_.-]{3,20}$/, "3 to 20 letters from a to z, digits, dots, dashes and underscores.")
      .refine(hasUnambiguousEnding, "A username cannot end in a dot, a dash or “.data”.")
      .refine((name) => !isReservedUsername(name), RESERVED_NAME.text),
  );

/** Name of a passkey, visible to its owner only. */
export const PasskeyName = z
  .string()
  .transform((name) =>
    name
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
  )
  .pipe(
    z.string().min(1, "Give the passkey a name that you will recognise.").max(60, "At most 60 characters."),
  );

const Password = z.string().min(1, "Choose a password.").max(1_000, "At most 256 characters.");

export const NewAccount = z.object({
  email: Email,
  password: Password,
  name: DisplayName,
  /** Optional: an empty username is replaced by a username suggested from the name. */
  username: z.preprocess((value) => (value === "" ? undefined : value), Username.optional()),
});
/** Email address as the hosted service accepts it: any text with an `@`. */
const HostedEmail = z
  .string()
  .trim()
  .max(LIMITS.email, "This email address is too long.")
  .regex(/^[^\s@]+@[^\s@]+$/, "That is not a valid email address.");
/** Email schema for API clients. With `hosted`, any text with an `@` is valid. */
export const emailForm = (hosted: boolean) => (hosted ? HostedEmail : Email);
const HostedAccount = NewAccount.extend({ email: HostedEmail });

/** Schema for an account registered by an API client; `hosted` as in `emailForm`. */
export const newAccountForm = (hosted: boolean): z.ZodType<NewAccount> =>
  hosted ? HostedAccount : NewAccount;
export type NewAccount = z.output<typeof NewAccount>;

export const NewPassword = z
  .object({ password: Password, again: z.string() })
  .refine((form) => form.password === form.again, {
    path: ["again"],
    message: "The passwords do not match.",
  });
export type NewPassword = z.output<typeof NewPassword>;
