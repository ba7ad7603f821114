import { isSignedIn, type Viewer } from "./viewer.ts";

/** Publishers on channels: holders of any key, signed-in people, or servers only. */
export type PublisherPolicy = "everybody" | "members" | "servers";

export const apiClientRules = {
  /** `trusted`: the client has shown the server key. */
  publish: (viewer: Viewer, publishers: PublisherPolicy, trusted: boolean) =>
    trusted ||
    (publishers !== "servers" && !viewer.limited && (publishers === "everybody" || isSignedIn(viewer))),
  /**
   * Send mail through the API: people with a role named by an admin, since a public endpoint must not mail
   * everyone.
   */
  sendMail: (
    viewer: Viewer,
    { roles, named }: { roles: readonly string[]; named: readonly string[] },
    trusted: boolean,
  ) =>
    trusted ||
    (isSignedIn(viewer) &&
      !viewer.limited &&
      (viewer.role === "admin" || roles.some((role) => named.includes(role)))),
  /** With the defaults of the hosted service, everybody sends mail whose text is a template of the operator's. */
  sendTemplate: (viewer: Viewer, apiDefaults: "careful" | "hosted") =>
    apiDefaults === "hosted" && !viewer.limited,
};
