import { writeAudit } from "#community/audit";
import { assertServerKey } from "../parse-input.ts";
import type { Route } from "../rest-route.ts";

/**
 * Restricts routes to the server key. Each call is audited before it runs, so that failed attempts are
 * recorded too. The audit contains no request bodies.
 */
export const restrictToServerKey = (routes: Route[]): Route[] =>
  routes.map((route) => ({
    ...route,
    path: `/management${route.path}`,
    async handle(call) {
      assertServerKey(call, "The management API needs the server key.");
      const { app, params } = call;
      await app.database.inTransaction((tx) =>
        writeAudit(tx, call.caller.viewer, {
          act: "management.called",
          kind: "backend",
          id: `${route.method} ${route.path}`,
          details: params,
        }),
      );
      return route.handle(call);
    },
  }));
