import { audit } from "#community/audit";
import { assertServerKey } from "../parse.ts";
import type { Route } from "../route.ts";

/**
 * Calls that run the place: for the server key alone, and each written down before it is done, so that what was tried is known as well.
 * What they bring stands in no line of the audit.
 */
export const managed = (routes: Route[]): Route[] =>
  routes.map((route) => ({
    ...route,
    path: `/management${route.path}`,
    async handle(call) {
      assertServerKey(call, "The management API is for the server key alone.");
      const { house, params } = call;
      await house.database.inTransaction((tx) =>
        audit(tx, call.caller.viewer, { act: "management.called", kind: "backend", id: `${route.method} ${route.path}`, details: params }),
      );
      return route.handle(call);
    },
  }));
