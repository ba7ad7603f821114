import { z } from "zod";
import { listEvents } from "#community/calendar";
import { listGroups } from "#community/groups";
import { tokenRules } from "#community/rules";
import { INDICES, loadSearchPage } from "#community/search";
import { MAX_REFERENCE_LENGTH, pagePaths, pageUrl, resourceUri } from "./addresses.ts";
import { formatDiscussion, MAX_POSTS, readDiscussion } from "./read-discussion.ts";
import { defineTool, type Tool } from "./tool.ts";

const Id = z.uuid();
const Address = z.string().describe("Address of the page.");
const Moment = z.string().describe("Date and time, ISO 8601.");
const Cursor = z.string().max(200).optional().describe("`next` of the previous answer.");
const Next = z.string().nullable().describe("Where the next page begins; null at the end.");

const SearchOutput = z.object({
  results: z.array(
    z.object({
      type: z.enum(INDICES),
      id: z.string(),
      title: z.string(),
      excerpt: z.string(),
      group: z.string().nullable(),
      author: z.string().nullable(),
      created: Moment,
      url: Address,
    }),
  ),
});

const search = defineTool({
  name: "search",
  title: "Search",
  description:
    "Searches everything that you may read. Operators narrow it: in:group from:@username tag:word " +
    "after:2026-01-01 before:2026-02-01 has:link. Areas without a read scope have no results.",
  scope: null,
  input: z.object({
    query: z.string().min(1).max(300).describe("Words, with operators if wanted."),
    type: z.enum(INDICES).optional().describe("Only results of this kind, twenty per page."),
    page: z.int().min(1).max(10).default(1).describe("Page of the results of one kind."),
  }),
  output: SearchOutput,
  async run({ app, caller }, { query, type, page }) {
    const text = type ? `${query} type:${type}` : query;
    const { sections } = await loadSearchPage(app.engine, app.database.db, caller.viewer, {
      text,
      page,
      now: app.now(),
    });
    const results = sections.flatMap(({ items }) =>
      items.map((item) => ({
        type: item.type,
        id: item.id,
        title: item.title || item.names,
        excerpt: item.excerpt.text,
        group: item.group?.name ?? null,
        author: item.author?.name ?? null,
        created: item.at.toISOString(),
        url: pageUrl({ app }, item.url),
      })),
    );
    const lines = results.map(
      (it) => `- ${it.type}: ${it.title}${it.author ? `, ${it.author}` : ""} ${it.url}\n  ${it.excerpt}`,
    );
    return { text: lines.join("\n") || "Nothing was found.", data: { results } };
  },
});

const DiscussionOutput = z.object({
  id: z.string(),
  title: z.string(),
  groupId: z.string(),
  url: Address,
  tags: z.array(z.string()),
  locked: z.boolean(),
  resolved: z.boolean(),
  lastNumber: z.int().describe("Number of the latest post."),
  posts: z.array(
    z.object({
      id: z.string(),
      number: z.int(),
      author: z.string().nullable(),
      text: z.string().nullable().describe("Markdown."),
      hidden: z.string().nullable().describe("Why there is no text."),
      created: Moment,
      url: Address,
    }),
  ),
  next: z.int().nullable().describe("Value of `after` for the next page; null at the end."),
});

const readDiscussionTool = defineTool({
  name: "read_discussion",
  title: "Read discussion",
  description: "Reads the posts of a discussion in order, as Markdown.",
  scope: ["discussions", "read"],
  input: z.object({
    discussion: z
      .string()
      .min(1)
      .max(MAX_REFERENCE_LENGTH)
      .describe("Id or address of the discussion, or of a post in it."),
    after: z.int().min(0).max(2_147_483_647).default(0).describe("Only posts with a higher number."),
    limit: z.int().min(1).max(MAX_POSTS).default(20).describe("Posts per page."),
  }),
  output: DiscussionOutput,
  async run(call, { discussion, after, limit }) {
    const data = await readDiscussion(call, { reference: discussion, after, limit });
    return { text: formatDiscussion(data), data };
  },
});

const GroupsOutput = z.object({
  groups: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      purpose: z.string(),
      visibility: z.enum(["public", "private", "secret"]),
      role: z.string().nullable().describe("Your role; null if you are not a member."),
      members: z.int(),
      unread: z.int().describe("Your unread discussions, at most 100."),
      url: Address,
    }),
  ),
  next: Next,
});

const listGroupsTool = defineTool({
  name: "list_groups",
  title: "List groups",
  description: "Lists your groups, or groups that you could join.",
  scope: ["groups", "read"],
  input: z.object({
    which: z.enum(["mine", "discover"]).default("mine"),
    query: z.string().max(100).optional().describe("Beginning of words in the name."),
    after: Cursor,
  }),
  output: GroupsOutput,
  async run({ app, caller }, { which, query, after }) {
    const { rows, next } = await listGroups(app.database.db, caller.viewer, {
      tab: which,
      ...(query && { search: query }),
      ...(after && { after }),
    });
    const reached = rows.filter(({ id }) => tokenRules.reachesGroup(caller.viewer, id));
    const groups = reached.map((row) => ({
      id: row.id,
      name: row.name,
      purpose: row.purpose,
      visibility: row.visibility,
      role: row.viewerRole ?? null,
      members: row.membersCount,
      unread: row.unread,
      url: pageUrl({ app }, pagePaths.group(row.slug)),
    }));
    const lines = groups.map((it) => `- ${it.name} (id ${it.id}, ${it.visibility}): ${it.purpose} ${it.url}`);
    return { text: lines.join("\n") || "There are no groups.", data: { groups, next } };
  },
});

const EventsOutput = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      starts: Moment,
      ends: Moment,
      timeZone: z.string(),
      allDay: z.boolean(),
      place: z.string(),
      state: z.enum(["planned", "cancelled", "postponed"]),
      group: z.object({ id: z.string(), name: z.string() }),
      going: z.int(),
      capacity: z.int().nullable(),
      answer: z.string().nullable().describe("Your answer."),
      url: Address,
      resource: z.string().describe("Address of the resource with the details."),
    }),
  ),
  next: Next,
});

const listEventsTool = defineTool({
  name: "list_events",
  title: "List events",
  description: "Lists events that have not ended, in order of their start.",
  scope: ["events", "read"],
  input: z.object({
    from: z.iso.datetime({ offset: true }).optional().describe("Events that end later; now if missing."),
    until: z.iso.datetime({ offset: true }).optional().describe("Events that start earlier."),
    groupId: Id.optional().describe("Only events of this group."),
    mine: z
      .enum(["groups", "answered"])
      .optional()
      .describe("Only events of your groups, or events that you have answered."),
    after: Cursor,
  }),
  output: EventsOutput,
  async run({ app, caller }, { from, until, groupId, mine, after }) {
    const { rows, next } = await listEvents(app.database.db, caller.viewer, {
      from: from ? new Date(from) : app.now(),
      until: until ? new Date(until) : undefined,
      group: groupId,
      mine,
      after,
    });
    const reached = rows.filter(({ group }) => tokenRules.reachesGroup(caller.viewer, group.id));
    const events = reached.map((row) => ({
      id: row.eventId,
      title: row.title,
      starts: row.startsAt.toISOString(),
      ends: row.endsAt.toISOString(),
      timeZone: row.timeZone,
      allDay: row.allDay,
      place: row.place,
      state: row.cancelledAt
        ? ("cancelled" as const)
        : row.postponedAt
          ? ("postponed" as const)
          : ("planned" as const),
      group: { id: row.group.id, name: row.group.name },
      going: row.going,
      capacity: row.capacity,
      answer: row.answer,
      url: pageUrl({ app }, pagePaths.event(row.eventId)),
      resource: resourceUri("event", row.eventId),
    }));
    const lines = events.map(
      (it) =>
        `- ${it.starts} ${it.title} (${it.group.name}, ${it.place || "no place"}, ${it.state}) ${it.url}`,
    );
    return { text: lines.join("\n") || "There are no events.", data: { events, next } };
  },
});

export const READ_TOOLS: readonly Tool[] = [search, readDiscussionTool, listGroupsTool, listEventsTool];
