/** Push permission of the browser: `off` means that it can still be enabled. */
export type PushState = "unsupported" | "denied" | "off" | "on";

const WORKER = "/sw.js";

const isPushSupported = () =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

const getSubscription = async () =>
  (await navigator.serviceWorker.getRegistration(WORKER))?.pushManager.getSubscription() ?? null;

export async function getPushState(): Promise<PushState> {
  if (!isPushSupported()) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return (await getSubscription()) ? "on" : "off";
}

/** Id of this browser on the server: the first characters of the hash of its endpoint. */
export async function getSubscriptionMark(): Promise<string | null> {
  const subscription = isPushSupported() ? await getSubscription() : null;
  if (!subscription) return null;
  const hash = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint)),
  );
  return [...hash.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

type SubscriptionKeys = { endpoint: string; publicKey: string; auth: string };
type SubscribeResult = { state: PushState | "failed"; subscription?: SubscriptionKeys };

/**
 * Asks for permission, which browsers only allow on a click, and subscribes. A subscription for another key
 * is replaced.
 */
export async function enablePush(vapidKey: string): Promise<SubscribeResult> {
  if (!isPushSupported()) return { state: "unsupported" };
  try {
    if ((await Notification.requestPermission()) !== "granted")
      return { state: Notification.permission === "denied" ? "denied" : "off" };
    await navigator.serviceWorker.register(WORKER, { scope: "/" });
    const { pushManager } = await navigator.serviceWorker.ready;
    await (await pushManager.getSubscription())?.unsubscribe();
    const pushSubscription = await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: vapidKey,
    });
    return {
      state: "on",
      subscription: {
        endpoint: pushSubscription.endpoint,
        publicKey: toBase64Url(pushSubscription.getKey("p256dh")),
        auth: toBase64Url(pushSubscription.getKey("auth")),
      },
    };
  } catch {
    return { state: "failed" };
  }
}

export const disablePush = async () => void (await (await getSubscription())?.unsubscribe());

const toBase64Url = (bytes: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
