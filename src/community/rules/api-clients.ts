import { isSignedIn, type Viewer } from "./viewer.ts";

/** Callers that may publish to channels: holders of any key, signed-in people, or servers only. */
export type PublisherPolicy = "everybody" | "members" | "servers";

export const apiClientRules = {
  /** Whether the viewer may publish. `trusted`: the client has sent the server key. */
  publish: (viewer: Viewer, publishers: PublisherPolicy, trusted: boolean) =>
    trusted ||
    (publishers !== "servers" && !viewer.limited && (publishers === "everybody" || isSignedIn(viewer))),
  /**
   * Whether the viewer may send mail through the API: people with a role that an admin has named, because a
   * public endpoint must not mail everyone.
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
  /**
   * Whether the viewer may send mail from an operator's template. Everybody may, if the defaults of the
   * hosted service apply.
   */
  sendTemplate: (viewer: Viewer, apiDefaults: "careful" | "hosted") =>
    apiDefaults === "hosted" && !viewer.limited,
};
