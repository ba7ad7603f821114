/** Push permission of the browser: `off` means that it can still be enabled. */
export type PushState = "unsupported" | "denied" | "off" | "on";

const WORKER = "/sw.js";

const canBeTold = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

const current = async () => (await navigator.serviceWorker.getRegistration(WORKER))?.pushManager.getSubscription() ?? null;

export async function stateOf(): Promise<PushState> {
  if (!canBeTold()) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return (await current()) ? "on" : "off";
}

/** Id of this browser on the server: the start of the hash of its endpoint. */
export async function markOf(): Promise<string | null> {
  const subscription = canBeTold() ? await current() : null;
  if (!subscription) return null;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint)));
  return [...hash.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

type Keys = { endpoint: string; publicKey: string; auth: string };
type Begun = { state: PushState | "failed"; subscription?: Keys };

/** Asks for permission, from a click; replaces a subscription for another key. */
export async function switchOn(vapidKey: string): Promise<Begun> {
  if (!canBeTold()) return { state: "unsupported" };
  try {
    if ((await Notification.requestPermission()) !== "granted") return { state: Notification.permission === "denied" ? "denied" : "off" };
    await navigator.serviceWorker.register(WORKER, { scope: "/" });
    const { pushManager } = await navigator.serviceWorker.ready;
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidKey });
    return {
      state: "on",
      subscription: { endpoint: made.endpoint, publicKey: inText(made.getKey("p256dh")), auth: inText(made.getKey("auth")) },
    };
  } catch {
    return { state: "failed" };
  }
}

export const switchOff = async () => void (await (await current())?.unsubscribe());

const inText = (bytes: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
