import { DAY, later } from "#platform/clock";
import type { AppleNote, FcmNote } from "#platform/phones";
import type { Content } from "./content.ts";

/** For how long a push is kept for a device that is off. */
const HOLDS = DAY;

/** Bytes that each way takes at the most, with what stands around them. */
const MOST = { apns: 4_096, fcm: 4_000, web: 3_000 };

const given = <T extends object>(it: T) =>
  Object.fromEntries(Object.entries(it).filter(([, value]) => value !== null && value !== undefined));
const without = (data: Content["data"], names: RegExp) => Object.fromEntries(Object.entries(data).filter(([name]) => !names.test(name)));

/** For Apple's devices. What neither shows nor sounds wakes the application in the background. */
export function appleNote({ apple, data, messageId }: Content, now: Date): AppleNote {
  const { title, subtitle, body, badge, sound } = apple;
  const isAlert = title !== null || body !== null || badge !== null || sound !== null;
  const alert = title === null && body === null ? null : given({ title, subtitle, body });
  const aps = isAlert ? given({ alert, badge, sound, "mutable-content": alert && 1 }) : { "content-available": 1 };
  return {
    // `aps` is Apple's word: a header of this name would take its place.
    payload: { ...without(data, /^(aps$|ios-|android-|wp-)/), aps },
    pushType: isAlert ? "alert" : "background",
    expiresAt: later(now, HOLDS),
    collapseId: messageId,
  };
}

/** For Android. Without words it is data alone, which the application takes up by itself. */
export function androidNote({ android, data, messageId, repeats }: Content): FcmNote {
  const { title, body, ticker, action, sound } = android;
  const isShown = title !== null || body !== null;
  return {
    // These words are Google's, and refused: https://firebase.google.com/docs/cloud-messaging/customize-messages/set-message-type
    data: without(data, /^(ios-|wp-|google|gcm|from$|message_type$|collapse_key$|notification$)/),
    ...(isShown && { notification: given({ title, body }) }),
    android: {
      priority: isShown ? "HIGH" : "NORMAL",
      ttl: `${HOLDS / 1_000}s`,
      // A device has four of these at the most, so that only what is repeated has one.
      ...(repeats && { collapse_key: messageId }),
      ...(isShown && { notification: given({ ticker, sound, click_action: action }) as Record<string, string> }),
    },
  };
}

/** For a service worker of the program's own page. */
export const browserNote = ({ android: { title, body }, data }: Content): object =>
  given({ title, body, data: without(data, /^(ios-|android-|wp-)/) });

/** Whether it is short enough for every way. */
export function fits(content: Content, now: Date): boolean {
  const bytes = (it: object) => Buffer.byteLength(JSON.stringify(it));
  return (
    bytes(appleNote(content, now).payload) <= MOST.apns &&
    bytes(androidNote(content)) <= MOST.fcm &&
    bytes(browserNote(content)) <= MOST.web
  );
}
