import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { getEntityRow } from "#community/api-entities";
import { getEvent } from "#community/calendar";
import { assertTokenScope } from "#community/common";
import { listGroups } from "#community/groups";
import { tokenRules } from "#community/rules";
import { notFound } from "#platform/refusal";
import {
  pagePaths,
  pageUrl,
  readReference,
  RESOURCE_KINDS,
  type ResourceKind,
  resourceUri,
} from "./addresses.ts";
import { formatDiscussion, MAX_POSTS, readDiscussion } from "./read-discussion.ts";
import { withProtocolErrors } from "./protocol-errors.ts";
import type { McpCall } from "./tool.ts";

const TITLES: Record<ResourceKind, string> = {
  discussion: "Discussion with its first posts",
  group: "Group",
  event: "Event",
  resource: "Resource of the library",
};

/**
 * Functions that read one record as Markdown, by kind. Each throws `not-found` for a record that the caller
 * may not know of.
 */
export const RESOURCE_READERS: Record<ResourceKind, (call: McpCall, id: string) => Promise<string>> = {
  discussion: async (call, reference) =>
    formatDiscussion(await readDiscussion(call, { reference, after: 0, limit: MAX_POSTS })),

  async group({ app, caller }, id) {
    const group = await getEntityRow(app.database.db, caller.viewer, "Groups", id);
    const { name, slug, purpose, about, visibility, membersCount } = group;
    return joinParts([
      `# ${String(name)}`,
      pageUrl({ app }, pagePaths.group(String(slug))),
      `${String(visibility)} group, ${String(membersCount)} members`,
      purpose,
      about,
    ]);
  },

  async event({ app, caller }, id) {
    assertTokenScope(caller.viewer, "events", "read");
    const event = await getEvent(app.database.db, caller.viewer, id);
    if (!tokenRules.reachesGroup(caller.viewer, event.group.id)) throw notFound();
    const state = event.cancelledAt ? "cancelled" : event.postponedAt ? "postponed" : "planned";
    return joinParts([
      `# ${event.title}`,
      pageUrl({ app }, pagePaths.event(event.id)),
      `${event.startsAt.toISOString()} to ${event.endsAt.toISOString()} (${event.timeZone}), ${state}`,
      `Group: ${event.group.name}`,
      event.place && `Place: ${event.place}`,
      event.onlineUrl && `Online: ${event.onlineUrl}`,
      `Going: ${event.going}${event.capacity === null ? "" : ` of ${event.capacity}`}`,
      `Your answer: ${event.answer ?? "none"}`,
      event.description && `Description: ${resourceUri("discussion", event.description.discussionId)}`,
    ]);
  },

  async resource({ app, caller }, id) {
    const resource = await getEntityRow(app.database.db, caller.viewer, "Resources", id);
    const { title, url, why, text } = resource;
    return joinParts([`# ${String(title)}`, pageUrl({ app }, pagePaths.resource(id)), url, why, text]);
  },
};

const joinParts = (parts: unknown[]) => parts.filter(Boolean).map(String).join("\n\n");

/** Registers the resources that clients can attach: records by `kith://` address. */
export function registerResources(server: McpServer, call: McpCall): void {
  for (const kind of RESOURCE_KINDS)
    server.registerResource(
      kind,
      new ResourceTemplate(`kith://${kind}/{id}`, {
        list: kind === "group" ? () => withProtocolErrors(call, () => listOwnGroups(call)) : undefined,
      }),
      { title: TITLES[kind], mimeType: "text/markdown" },
      (uri) =>
        withProtocolErrors(call, async () => ({
          contents: [
            {
              uri: uri.href,
              mimeType: "text/markdown",
              text: await RESOURCE_READERS[kind](call, readReference(uri.pathname)),
            },
          ],
        })),
    );
}

/** The caller's own groups as resources; none if the token may not read groups. */
async function listOwnGroups({ app, caller }: McpCall) {
  if (!tokenRules.use(caller.viewer, "groups", "read")) return { resources: [] };
  const { rows } = await listGroups(app.database.db, caller.viewer, { tab: "mine" });
  return {
    resources: rows
      .filter(({ id }) => tokenRules.reachesGroup(caller.viewer, id))
      .map(({ id, name, purpose }) => ({
        uri: resourceUri("group", id),
        name,
        description: purpose,
        mimeType: "text/markdown",
      })),
  };
}
