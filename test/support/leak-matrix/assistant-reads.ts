import { createDataTableStore } from "#baas/data";
import type { Viewer } from "#community/rules";
import { openSettings } from "#community/settings";
import { Limits } from "#platform/limits";
import { createCommunityEntities, readUsersTable } from "../../../src/api/rest/index.ts";
import { createCatchUpPrompt, createReplyPrompt } from "../../../src/api/mcp/mcp-prompts.ts";
import { RESOURCE_READERS } from "../../../src/api/mcp/mcp-resources.ts";
import { READ_TOOLS } from "../../../src/api/mcp/read-tools.ts";
import type { McpCall } from "../../../src/api/mcp/tool.ts";
import { createTestAccounts } from "../accounts/test-accounts.ts";
import { database, engine, now, type Reads } from "./leak-context.ts";
import { GROUP_NAME, INSIDE_WORD, PRIVATE_WORD } from "./marker-words.ts";

const settings = openSettings(database);
const origin = () => "https://kith.example.org";
const accounts = createTestAccounts(database, {
  settings,
  limits: new Limits(),
  origin,
  seal: Buffer.alloc(32, 7),
  providers: [],
});
const tables = createDataTableStore({
  database,
  entities: createCommunityEntities(accounts, () => readUsersTable(tables)),
  dynamicSchema: false,
  hosted: async () => false,
  quota: async () => ({ rows: 1_000, bytes: 1_000_000 }),
});

/** A call of an MCP client that acts for the viewer. */
function callAs(viewer: Viewer): McpCall {
  const session = viewer.id === null ? null : { id: viewer.id, token: "", createdAt: now() };
  const app = { ...accounts, database, tables, engine, origin, now } as unknown as McpCall["app"];
  return { app, caller: { key: "client", viewer, session, roles: [] } };
}

async function runTool(viewer: Viewer, name: string, given: object) {
  const tool = READ_TOOLS.find((it) => it.name === name)!;
  return tool.run(callAs(viewer), tool.input.parse(given) as never);
}

/** Whether a search has results. The query is left out, because the viewer knows it. */
const findsWith = async (viewer: Viewer, query: string) =>
  JSON.stringify((await runTool(viewer, "search", { query })).data) === '{"results":[]}' ? null : query;

/** Reads with the title and posts of a discussion. */
export const DISCUSSION_READS_OF_ASSISTANTS = [
  "assistant, discussion",
  "assistant, discussion of a post",
  "assistant, discussion as a resource",
  "assistant, draft of a reply",
];

/** Reads of assistants that use the MCP server. */
export const assistantReads: Reads = {
  "assistant, search by name": (_db, viewer) => findsWith(viewer, GROUP_NAME),
  "assistant, search by word": (_db, viewer) => findsWith(viewer, INSIDE_WORD),
  "assistant, search by a private word": (_db, viewer) => findsWith(viewer, PRIVATE_WORD),
  "assistant, discussion": (_db, viewer, at) =>
    runTool(viewer, "read_discussion", { discussion: at.discussionId }),
  "assistant, discussion of a post": (_db, viewer, at) =>
    runTool(viewer, "read_discussion", { discussion: at.replyId }),
  "assistant, own groups": (_db, viewer) => runTool(viewer, "list_groups", {}),
  "assistant, groups to discover": (_db, viewer) => runTool(viewer, "list_groups", { which: "discover" }),
  "assistant, events": (_db, viewer) => runTool(viewer, "list_events", { from: "2020-01-01T00:00:00Z" }),
  "assistant, discussion as a resource": (_db, viewer, at) =>
    RESOURCE_READERS.discussion(callAs(viewer), at.discussionId),
  "assistant, group as a resource": (_db, viewer, at) => RESOURCE_READERS.group(callAs(viewer), at.groupId),
  "assistant, event as a resource": (_db, viewer, at) => RESOURCE_READERS.event(callAs(viewer), at.eventId),
  "assistant, resource of the library": (_db, viewer, at) =>
    RESOURCE_READERS.resource(callAs(viewer), at.resourceId),
  "assistant, unread discussions": (_db, viewer) => createCatchUpPrompt(callAs(viewer), 30),
  "assistant, draft of a reply": (_db, viewer, at) =>
    createReplyPrompt(callAs(viewer), at.discussionId, undefined),
};
