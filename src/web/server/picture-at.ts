import { addMessagePicture } from "#community/conversations";
import { addPicture } from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { House } from "../house.ts";

const CONVERSATION = /^conversation:(.*)$/;

/** Takes a picture for what is being written at a place: in a conversation, or in a discussion or group. */
export function pictureAt(house: House, viewer: Viewer, place: string, bytes: Buffer) {
  const conversation = CONVERSATION.exec(place)?.[1];
  return conversation === undefined ? addPicture(house, viewer, place, bytes) : addMessagePicture(house, viewer, conversation, bytes);
}
