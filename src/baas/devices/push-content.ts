import type { PushMessage } from "#baas/messaging";

/** Content of a push: what devices show, and the data for the app. */
export type PushContent = {
  messageId: string;
  /** Whether the message is repeated; each notification then replaces the previous one. */
  repeats: boolean;
  apple: {
    title: string | null;
    subtitle: string | null;
    body: string | null;
    badge: number | null;
    sound: string | null;
  };
  android: {
    title: string | null;
    body: string | null;
    ticker: string | null;
    action: string | null;
    sound: string | null;
  };
  /** Headers by name, as the client sent them. */
  data: Record<string, string>;
};

/** Maximum characters shown, as many as fit on a lock screen. The data contains the full text. */
const MAX_SHOWN = 240;
const truncateShown = (text: string | null | undefined): string | null =>
  text ? text.slice(0, MAX_SHOWN).toWellFormed() : null;

/** Creates the content of a push from the headers of a message, or from the message itself if it is text. */
export function createPushContent({
  channel,
  message: { messageId, message, headers, publisherId, repeatEvery },
}: Parameters<PushMessage>[1]): PushContent {
  const text = typeof message === "string" ? message : message === null ? null : JSON.stringify(message);
  const words = headers["message"] || (typeof message === "string" ? message : null);
  const badge = Number(headers["ios-badge"] ?? NaN);
  const sound = headers["ios-sound"] || null;
  return {
    messageId,
    repeats: repeatEvery > 0,
    apple: {
      title: null,
      subtitle: null,
      body: truncateShown(headers["ios-alert"] || words),
      badge: Number.isInteger(badge) && badge >= 0 && badge < 100_000 ? badge : null,
      sound,
    },
    android: {
      title: truncateShown(headers["android-content-title"]),
      body: truncateShown(headers["android-content-text"] || words),
      ticker: truncateShown(headers["android-ticker-text"]),
      action: headers["android-action"] || null,
      sound: null,
    },
    data: {
      ...headers,
      ...(text !== null && { message: text }),
      messageId,
      channel,
      ...(publisherId !== null && { publisherId }),
    },
  };
}
