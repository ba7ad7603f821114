import { DAY, later } from "#platform/clock";
import type { AppleNote, FcmNote } from "#platform/phones";
import type { Content } from "./content.ts";

/** How long a provider keeps a push for a device that is off. */
const HOLDS = DAY;

/** Bytes of a payload that each provider accepts. */
const MOST = { apns: 4_096, fcm: 4_000, web: 3_000 };

const given = <T extends object>(it: T) =>
  Object.fromEntries(Object.entries(it).filter(([, value]) => value !== null && value !== undefined));
const without = (data: Content["data"], names: RegExp) => Object.fromEntries(Object.entries(data).filter(([name]) => !names.test(name)));

/** For Apple devices. A push without alert and sound wakes the app in the background. */
export function appleNote({ apple, data, messageId }: Content, now: Date): AppleNote {
  const { title, subtitle, body, badge, sound } = apple;
  const isAlert = title !== null || body !== null || badge !== null || sound !== null;
  const alert = title === null && body === null ? null : given({ title, subtitle, body });
  const aps = isAlert ? given({ alert, badge, sound, "mutable-content": alert && 1 }) : { "content-available": 1 };
  return {
    // `aps` is reserved by Apple: a header of that name would overwrite it.
    payload: { ...without(data, /^(aps$|ios-|android-|wp-)/), aps },
    pushType: isAlert ? "alert" : "background",
    expiresAt: later(now, HOLDS),
    collapseId: messageId,
  };
}

/** For Android. Without a text it is a data message, which the app handles itself. */
export function androidNote({ android, data, messageId, repeats }: Content): FcmNote {
  const { title, body, ticker, action, sound } = android;
  const isShown = title !== null || body !== null;
  return {
    // Google reserves and refuses these keys:
    // https://firebase.google.com/docs/cloud-messaging/customize-messages/set-message-type
    data: without(data, /^(ios-|wp-|google|gcm|from$|message_type$|collapse_key$|notification$)/),
    ...(isShown && { notification: given({ title, body }) }),
    android: {
      priority: isShown ? "HIGH" : "NORMAL",
      ttl: `${HOLDS / 1_000}s`,
      // A device holds at most four collapse keys, so that only repeated pushes use one.
      ...(repeats && { collapse_key: messageId }),
      ...(isShown && { notification: given({ ticker, sound, click_action: action }) as Record<string, string> }),
    },
  };
}

/** For the service worker of the client's own page. */
export const browserNote = ({ android: { title, body }, data }: Content): object =>
  given({ title, body, data: without(data, /^(ios-|android-|wp-)/) });

/** Whether the content fits every provider's limit. */
export function fits(content: Content, now: Date): boolean {
  const bytes = (it: object) => Buffer.byteLength(JSON.stringify(it));
  return (
    bytes(appleNote(content, now).payload) <= MOST.apns &&
    bytes(androidNote(content)) <= MOST.fcm &&
    bytes(browserNote(content)) <= MOST.web
  );
}
