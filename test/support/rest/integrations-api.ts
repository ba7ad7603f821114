import { findTokenIdentity } from "#community/accounts";
import { createSearch } from "#community/search";
import { serveIncomingWebhooks } from "../../../src/api/incoming-webhooks/index.ts";
import { serveMcp } from "../../../src/api/mcp/index.ts";
import { serveSearch } from "../../../src/api/search/index.ts";
import type { TestDatabase } from "../setup/test-database.ts";
import { startTestApi } from "./rest-server.ts";

/** Starts the REST API with search, MCP and incoming webhooks beside it, on one server. `index` indexes everything. */
export async function startIntegrationsApi(database: TestDatabase) {
  const { engine, indexer } = createSearch({ database });
  const testApi = await startTestApi(database, {}, (server, app, rest) => {
    serveMcp(server, { ...app, engine }, rest.callers);
    serveIncomingWebhooks(server, app);
    void serveSearch(server, {
      ...app,
      engine,
      seal: Buffer.alloc(32, 7),
      findSession: async () => null,
      findToken: (token, address) => findTokenIdentity(app, token, address),
    });
  });
  const index = async () => {
    await indexer.beginAgain();
    await indexer.finish();
  };
  return { ...testApi, index };
}
export type IntegrationsApi = Awaited<ReturnType<typeof startIntegrationsApi>>;
