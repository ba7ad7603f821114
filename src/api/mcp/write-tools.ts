import { z } from "zod";
import { LIMITS } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { callService } from "../rest/index.ts";
import { pagePaths, pageUrl } from "./addresses.ts";
import { defineTool, type McpCall, type Tool } from "./tool.ts";

const Id = z.uuid();
const ClientId = z
  .uuid()
  .optional()
  .describe("A new UUID. Repeat a failed call with the same one, and its content is stored once.");
const Stored = z.object({ id: z.string(), url: z.string().describe("Address of the page.") });
const markdown = (max: number) => z.string().min(1).max(max).describe("Markdown.");

/** Runs the command that the pages use, as the caller. */
const runCommand = ({ app, caller }: McpCall, service: string, method: string, input: object) =>
  callService(app, { service, method, input }, { caller });

const WithId = z.object({ id: z.string() });
const StartedDiscussion = WithId.extend({ postId: z.string() });
const StoredReply = WithId.extend({ number: z.int(), discussionId: z.string() });

const startDiscussion = defineTool({
  name: "start_discussion",
  title: "Start discussion",
  description: "Starts a discussion in a group, visible to everyone who can read the group.",
  scope: ["discussions", "write"],
  input: z.object({
    groupId: Id,
    title: z.string().min(LIMITS.title.min).max(LIMITS.title.max),
    body: markdown(LIMITS.post),
    tags: z.array(z.string().max(50)).max(5).optional(),
    clientId: ClientId,
  }),
  output: Stored.extend({ postId: z.string() }),
  async run(call, input) {
    const { id, postId } = StartedDiscussion.parse(await runCommand(call, "Discussions", "start", input));
    const url = pageUrl(call, pagePaths.discussion(id));
    return { text: `The discussion was started: ${url}`, data: { id, postId, url } };
  },
});

const reply = defineTool({
  name: "reply",
  title: "Reply",
  description: "Replies in a discussion, visible to everyone who can read it.",
  scope: ["discussions", "write"],
  input: z.object({
    discussionId: Id,
    body: markdown(LIMITS.post),
    replyTo: Id.optional().describe("Id of the post that it answers."),
    clientId: ClientId,
  }),
  output: Stored.extend({ number: z.int(), discussionId: z.string() }),
  async run(call, input) {
    const { id, number, discussionId } = StoredReply.parse(await runCommand(call, "Posts", "reply", input));
    const url = pageUrl(call, pagePaths.post(id));
    return { text: `The reply was posted: ${url}`, data: { id, number, discussionId, url } };
  },
});

const react = defineTool({
  name: "react",
  title: "React",
  description: "Adds your reaction to a post, or removes it.",
  scope: ["discussions", "write"],
  isIdempotent: true,
  input: z.object({
    postId: Id,
    emoji: z.string().min(1).max(16).describe("One emoji."),
    remove: z.boolean().default(false),
  }),
  output: Stored,
  async run(call, { postId, emoji, remove }) {
    await runCommand(call, "Posts", remove ? "unreact" : "react", { postId, emoji });
    const url = pageUrl(call, pagePaths.post(postId));
    return {
      text: remove ? `The reaction was removed: ${url}` : `The reaction was added: ${url}`,
      data: { id: postId, url },
    };
  },
});

const saveResource = defineTool({
  name: "save_resource",
  title: "Save resource",
  description: "Adds a link to the library of a group, or of the whole community without `groupId`.",
  scope: ["resources", "write"],
  input: z.object({
    url: z.url({ protocol: /^https?$/ }).max(LIMITS.url),
    title: z.string().min(1).max(200),
    why: z.string().max(LIMITS.why).optional().describe("Why it is worth reading."),
    groupId: Id.optional(),
    tags: z.array(z.string().max(50)).max(5).optional(),
  }),
  output: Stored,
  async run(call, input) {
    const { id } = WithId.parse(await runCommand(call, "Resources", "addLink", input));
    const url = pageUrl(call, pagePaths.resource(id));
    return { text: `The resource was saved: ${url}`, data: { id, url } };
  },
});

const sendMessage = defineTool({
  name: "send_message",
  title: "Send message",
  description:
    "Sends a private message: to people by username, which starts a conversation where there is none, " +
    "or in a conversation.",
  scope: ["messages", "write"],
  input: z.object({
    to: z.array(z.string().min(1).max(50)).min(1).max(LIMITS.conversation.people).optional(),
    conversationId: Id.optional(),
    body: markdown(LIMITS.message),
    clientId: ClientId,
  }),
  output: z.object({ conversationId: z.string(), url: z.string().describe("Address of the page.") }),
  async run(call, { to, conversationId, ...message }) {
    if ((to === undefined) === (conversationId === undefined))
      throw new Refusal("invalid", "Give either `to` or `conversationId`.");
    if (conversationId !== undefined)
      await runCommand(call, "Messages", "send", { conversationId, ...message });
    const started = to && WithId.parse(await runCommand(call, "Conversations", "start", { to, ...message }));
    const id = started?.id ?? conversationId!;
    const url = pageUrl(call, pagePaths.conversation(id));
    return { text: `The message was sent: ${url}`, data: { conversationId: id, url } };
  },
});

export const WRITE_TOOLS: readonly Tool[] = [startDiscussion, reply, react, saveResource, sendMessage];
