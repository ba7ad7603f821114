import { writeAudit } from "#community/audit";
import type { Endpoint, Permission } from "../endpoint.ts";
import { assertServerKey } from "../parse-input.ts";

const SERVER_KEY: Permission = {
  name: "the server key",
  caller: "server key",
  refusal: { status: 403, code: 2011 },
  check: (call) => assertServerKey(call, "The management API needs the server key."),
};

/**
 * Restricts endpoints to the server key. Each call is audited before it runs, so that failed attempts are
 * recorded too. The audit contains no request bodies.
 */
export const restrictToServerKey = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => ({
    ...endpoint,
    path: `/management${endpoint.path}`,
    permission: SERVER_KEY,
    async prepare({ app, caller, params }) {
      await app.database.inTransaction((tx) =>
        writeAudit(tx, caller.viewer, {
          act: "management.called",
          kind: "backend",
          id: `${endpoint.method} ${endpoint.path}`,
          details: params,
        }),
      );
    },
  }));
