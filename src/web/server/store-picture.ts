import { addMessagePicture } from "#community/conversations";
import { addPicture } from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { WebContext } from "../web-context.ts";

const CONVERSATION_TARGET = /^conversation:(.*)$/;

/**
 * Stores a picture for a draft target: a conversation, discussion or group. `as` is the picture's id, if it
 * is already determined.
 */
export function storePictureFor(
  app: Pick<WebContext, "database" | "storage">,
  viewer: Viewer,
  place: string,
  bytes: Buffer,
  as?: string,
) {
  const conversation = CONVERSATION_TARGET.exec(place)?.[1];
  return conversation === undefined
    ? addPicture(app, viewer, place, bytes, as)
    : addMessagePicture(app, viewer, conversation, bytes, as);
}
