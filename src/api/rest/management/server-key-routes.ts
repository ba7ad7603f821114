import { writeAudit } from "#community/audit";
import { type Endpoint, serverKeyOnly } from "../endpoint.ts";

const SERVER_KEY = serverKeyOnly("The management API needs the server key.", "server-key-needed", {
  status: 403,
  code: 2011,
});

/**
 * Restricts endpoints to the server key. Each call is written to the audit log before it runs, so that
 * failed attempts are recorded too, but without its body.
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
