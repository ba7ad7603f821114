import { DAY, addMilliseconds } from "#platform/clock";
import type { ApnsNotification, FcmMessage } from "#platform/mobile-push";
import type { PushContent } from "./push-content.ts";

/** Milliseconds for which a provider stores a push for a device that is switched off. */
const PUSH_TTL = DAY;

/** Maximum bytes of a payload, by provider. */
const MAX_PAYLOAD_BYTES = { apns: 4_096, fcm: 4_000, web: 3_000 };

const omitEmpty = <T extends object>(it: T) =>
  Object.fromEntries(Object.entries(it).filter(([, value]) => value !== null && value !== undefined));
const omitKeys = (data: PushContent["data"], names: RegExp) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.test(name)));

/** Creates the payload for Apple devices. Without alert and sound, a push wakes the app in the background. */
export function createApplePayload({ apple, data, messageId }: PushContent, now: Date): ApnsNotification {
  const { title, subtitle, body, badge, sound } = apple;
  const isAlert = title !== null || body !== null || badge !== null || sound !== null;
  const alert = title === null && body === null ? null : omitEmpty({ title, subtitle, body });
  const aps = isAlert
    ? omitEmpty({ alert, badge, sound, "mutable-content": alert && 1 })
    : { "content-available": 1 };
  return {
    // `aps` is reserved by Apple: a header of that name would overwrite it.
    payload: { ...omitKeys(data, /^(aps$|ios-|android-|wp-)/), aps },
    pushType: isAlert ? "alert" : "background",
    expiresAt: addMilliseconds(now, PUSH_TTL),
    collapseId: messageId,
  };
}

/** Creates the payload for Android. Without a text it is a data message, which the app handles itself. */
export function createAndroidPayload({ android, data, messageId, repeats }: PushContent): FcmMessage {
  const { title, body, ticker, action, sound } = android;
  const isShown = title !== null || body !== null;
  return {
    // Google reserves and refuses these keys:
    // https://firebase.google.com/docs/cloud-messaging/customize-messages/set-message-type
    data: omitKeys(data, /^(ios-|wp-|google|gcm|from$|message_type$|collapse_key$|notification$)/),
    ...(isShown && { notification: omitEmpty({ title, body }) }),
    android: {
      priority: isShown ? "HIGH" : "NORMAL",
      ttl: `${PUSH_TTL / 1_000}s`,
      // A device stores at most four collapse keys, so only repeated pushes use a collapse key.
      ...(repeats && { collapse_key: messageId }),
      ...(isShown && {
        notification: omitEmpty({ ticker, sound, click_action: action }) as Record<string, string>,
      }),
    },
  };
}

/** Creates the payload for the service worker of the client's page. */
export const createBrowserPayload = ({ android: { title, body }, data }: PushContent): object =>
  omitEmpty({ title, body, data: omitKeys(data, /^(ios-|android-|wp-)/) });

/** Whether the content fits every provider's limit. */
export function fitsEveryProvider(content: PushContent, now: Date): boolean {
  const bytes = (it: object) => Buffer.byteLength(JSON.stringify(it));
  return (
    bytes(createApplePayload(content, now).payload) <= MAX_PAYLOAD_BYTES.apns &&
    bytes(createAndroidPayload(content)) <= MAX_PAYLOAD_BYTES.fcm &&
    bytes(createBrowserPayload(content)) <= MAX_PAYLOAD_BYTES.web
  );
}
