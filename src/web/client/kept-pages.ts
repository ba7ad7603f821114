import type { RootData } from "../root.tsx";
import { copyOfPage, isKept } from "./kept-copy.ts";
import { beginFor, forgetOthers, forgetPage, keepCopy, keepsPages, readerHere } from "./kept-store.ts";
import { hasNetwork } from "./network.ts";
import { putBackTyped } from "./typed-offline.ts";

type RouterState = {
  location: { pathname: string; search: string };
  navigation: { state: string };
  revalidation: string;
  loaderData: Record<string, unknown>;
  actionData: unknown;
  errors: Record<string, { status?: number }> | null;
};
type Router = { state: RouterState; subscribe: (told: () => void) => void };
const router = () => window.__reactRouterDataRouter as unknown as Router | undefined;

/** A page stands so long before it is kept, in milliseconds: who hurries past has not read it. */
const READ_FOR = 1_000;

/** Has the service worker come, and keeps what is read here, for who stays signed in on this device (decision 75). */
export function keepPages(): void {
  if (import.meta.env.DEV || !("serviceWorker" in navigator) || !("caches" in window)) return;
  // Where the worker was not between yet, nobody has made a store for who reads here.
  if (!navigator.serviceWorker.controller && keepsPages()) void beginFor(readerHere()).catch(nothing);
  void navigator.serviceWorker.register("/sw.js", { scope: "/" }).catch(nothing);
  putBackTyped(readerHere());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void idle().then(keep).catch(nothing), READ_FOR);
  };
  router()?.subscribe(soon);
  soon();
  // Nothing is kept any more from the press on.
  addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || new URL(target.action).pathname !== "/logout") return;
    delete document.documentElement.dataset["reader"];
    void forgetOthers(null).catch(nothing);
  });
}
const nothing = () => {};

async function keep(): Promise<void> {
  const now = router()?.state;
  if (!now || now.navigation.state !== "idle" || now.revalidation !== "idle" || !hasNetwork()) return;
  const me = (now.loaderData["root"] as RootData | undefined)?.me?.id;
  const reader = readerHere();
  // Somebody else is here by now, or nobody. Where even that could not be read, nothing is known.
  if (now.loaderData["root"] && (!reader || me !== reader)) return forgetOthers(null);
  if (!reader || !me || !keepsPages()) return;
  const path = now.location.pathname + now.location.search;
  if (now.errors) return isGone(now.errors) ? forgetPage(path) : undefined;
  // What was refused shows what was typed.
  if (now.actionData || path !== location.pathname + location.search || !isKept(now.location.pathname)) return;
  const copy = copyOfPage();
  if (copy) await keepCopy(reader, copy, Date.now());
}

const isGone = (errors: Record<string, { status?: number }>) =>
  Object.values(errors).some(({ status }) => status !== undefined && [401, 403, 404, 410].includes(status));

function idle(): Promise<void> {
  return new Promise((then) => {
    // Safari has no such call.
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => then(), { timeout: 2_000 });
    else then();
  });
}
