import type { Tx } from "#platform/database";
import { z } from "zod";
import { id, optionalText } from "#community/common";
import { NewBookmark } from "#community/discussions";
import { LIMITS, type Viewer } from "#community/rules";
import type { SiteSettings } from "#community/settings";

/** Everything a command needs besides its input. */
export type Hand = { tx: Tx; viewer: Viewer; site: SiteSettings };

/** A command as API clients call it: by entity and name. */
export type CommunityService = {
  noun: string;
  name: string;
  /** A sentence for the documentation. */
  about: string;
  input: z.ZodType;
  /**
   * Runs with the parsed `input`.
   * @throws the command's refusals
   */
  run: (hand: Hand, input: never) => Promise<unknown>;
};

type Name = `${string}/${string}`;

/** Defines a service with an input. Its schema is its documentation. */
export function verb<Schema extends z.ZodType>(
  name: Name,
  about: string,
  input: Schema,
  run: (hand: Hand, input: z.output<Schema>) => Promise<unknown>,
): CommunityService {
  const [noun, own] = name.split("/") as [string, string];
  return { noun, name: own, about, input, run };
}

/** Defines a service whose command takes `(tx, viewer, input)`, as most do. */
export const plain = <Schema extends z.ZodType>(
  name: Name,
  about: string,
  input: Schema,
  run: (tx: Tx, viewer: Viewer, input: z.output<Schema>) => Promise<unknown>,
): CommunityService => verb(name, about, input, ({ tx, viewer }, given) => run(tx, viewer, given));

export const Nothing = z.object({}).nullish();
export const Person = z.object({ personId: id });
export const InGroup = z.object({ groupId: id });
export const OnDiscussion = z.object({ discussionId: id });
export const OnConversation = z.object({ conversationId: id });
export const OnPost = z.object({ postId: id });
export const OnMessage = z.object({ messageId: id });
export const ById = z.object({ id });
export const Token = z.object({ token: z.string().max(200) });
export const reason = optionalText("The reason", LIMITS.reason);
export const visibility = z.enum(["public", "private", "secret"]).describe("Of the group that it goes to, as its readers were told.");

/** A time: milliseconds since 1970, or ISO 8601. */
export const moment = z
  .union([z.int().min(-8.64e15).max(8.64e15), z.iso.datetime({ offset: true })])
  .transform((at) => new Date(at))
  .describe("Milliseconds since 1970, or a date as ISO 8601 writes it.");

export const BookmarkWish = NewBookmark.extend({ remindAt: moment.optional() });
export const Notices = InGroup.extend({ level: z.enum(["all", "highlights", "mentions", "mute"]) });
export const Silence = OnConversation.extend({ until: moment.nullable() });
export const ReadUpTo = OnConversation.extend({ upTo: z.int().min(0).max(2_147_483_647) });
