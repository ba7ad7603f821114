import { createHash } from "node:crypto";

/** What tells one person's mails from another's about the same thing, in names of mails: nobody learns from it who that is. */
export const markOf = (personId: string): string => createHash("sha256").update(`mail:${personId}`).digest("hex").slice(0, 12);
