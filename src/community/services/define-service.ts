import type { Tx } from "#platform/database";
import { z } from "zod";
import { id, optionalText } from "#community/common";
import { NewBookmark } from "#community/discussions";
import { LIMITS, type Viewer } from "#community/rules";
import type { SiteSettings } from "#community/settings";

/** The context of a command besides its input. */
export type CommandContext = { tx: Tx; viewer: Viewer; site: SiteSettings };

/** A command that API clients can call by entity and name. */
export type CommunityService = {
  entity: string;
  name: string;
  /** One-sentence description for the documentation. */
  about: string;
  input: z.ZodType;
  /**
   * Runs with the parsed `input`.
   * @throws the command's refusals
   */
  run: (context: CommandContext, input: never) => Promise<unknown>;
};

type ServiceName = `${string}/${string}`;

/** Defines a service with an input. Its schema is its documentation. */
export function defineService<Schema extends z.ZodType>(
  name: ServiceName,
  about: string,
  input: Schema,
  run: (context: CommandContext, input: z.output<Schema>) => Promise<unknown>,
): CommunityService {
  const [entity = "", own = ""] = name.split("/");
  return { entity, name: own, about, input, run };
}

/** Defines a service whose command takes `(tx, viewer, input)`, as most do. */
export const defineSimpleService = <Schema extends z.ZodType>(
  name: ServiceName,
  about: string,
  input: Schema,
  run: (tx: Tx, viewer: Viewer, input: z.output<Schema>) => Promise<unknown>,
): CommunityService => defineService(name, about, input, ({ tx, viewer }, given) => run(tx, viewer, given));

export const NoInput = z.object({}).nullish();
export const PersonRef = z.object({ personId: id });
export const GroupRef = z.object({ groupId: id });
export const DiscussionRef = z.object({ discussionId: id });
export const ConversationRef = z.object({ conversationId: id });
export const PostRef = z.object({ postId: id });
export const MessageRef = z.object({ messageId: id });
export const IdRef = z.object({ id });
export const TokenInput = z.object({ token: z.string().max(200) });
export const reasonField = optionalText("The reason", LIMITS.reason);
export const visibilityField = z
  .enum(["public", "private", "secret"])
  .describe("Visibility of the target group, as shown to the person who decides.");

/** A time: milliseconds since 1970, or ISO 8601. */
export const momentField = z
  .union([z.int().min(-8.64e15).max(8.64e15), z.iso.datetime({ offset: true })])
  .transform((at) => new Date(at))
  .describe("Milliseconds since 1970, or a date in ISO 8601.");

export const BookmarkInput = NewBookmark.extend({ remindAt: momentField.optional() });
export const NotifyLevelInput = GroupRef.extend({ level: z.enum(["all", "highlights", "mentions", "mute"]) });
export const MuteInput = ConversationRef.extend({ until: momentField.nullable() });
export const ReadPositionInput = ConversationRef.extend({ upTo: z.int().min(0).max(2_147_483_647) });
