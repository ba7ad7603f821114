import { z } from "zod";
import { toStorableText } from "#community/common";
import { LIMITS } from "#community/rules";

/** Usernames of hosts, as a list or as one text with commas or spaces. */
export const hostNames = z
  .union([z.string().max(1_000), z.array(z.string()).max(100)])
  .transform((given) => (typeof given === "string" ? given.split(/[\s,]+/) : given))
  .transform((given) => [
    ...new Set(
      given
        .map((each) => toStorableText(each).trim().replace(/^@/, "").toLowerCase())
        .filter((each) => each !== ""),
    ),
  ])
  .pipe(
    z
      .array(z.string().max(50, "That is not a valid username."))
      .max(LIMITS.event.hosts, "An event has at most {count, number} hosts."),
  );
