import { addMessagePicture } from "#community/conversations";
import { addPicture } from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { House } from "../house.ts";

const CONVERSATION = /^conversation:(.*)$/;

/**
 * Stores a picture for a draft target: a conversation, discussion or group. `as` is its id, if it has one
 * already.
 */
export function pictureAt(house: House, viewer: Viewer, place: string, bytes: Buffer, as?: string) {
  const conversation = CONVERSATION.exec(place)?.[1];
  return conversation === undefined
    ? addPicture(house, viewer, place, bytes, as)
    : addMessagePicture(house, viewer, conversation, bytes, as);
}
