import { isSignedIn, type Viewer } from "./viewer.ts";

/** Who says something on the channels of programs: whoever has a key, who is signed in, or programs on servers alone. */
export type Publishers = "everybody" | "members" | "servers";

export const programRules = {
  /** `trusted`: the program has shown the server key. */
  publish: (who: Viewer, publishers: Publishers, trusted: boolean) =>
    trusted || (publishers !== "servers" && !who.limited && (publishers === "everybody" || isSignedIn(who))),
  /** Who has a program send mail: whoever has one of the roles that an admin has named. An address that anybody can call is not to write to everybody. */
  sendMail: (who: Viewer, { roles, named }: { roles: readonly string[]; named: readonly string[] }, trusted: boolean) =>
    trusted || (isSignedIn(who) && !who.limited && (who.role === "admin" || roles.some((role) => named.includes(role)))),
  /** With the defaults of the hosted service, everybody sends mail whose text is a template of the operator's. */
  sendTemplate: (who: Viewer, apiDefaults: "careful" | "hosted") => apiDefaults === "hosted" && !who.limited,
};
