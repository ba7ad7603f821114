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

/** Milliseconds a page is shown before it is copied: a page that is left at once was not read. */
const READ_FOR = 1_000;

/**
 * Registers the service worker and saves pages for offline reading, for people who stay signed in on this
 * device (decision 32).
 */
export function keepPages(): void {
  if (import.meta.env.DEV || !("serviceWorker" in navigator) || !("caches" in window)) return;
  // Before the service worker controlled pages, nothing created a store for this reader.
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
  // From the sign-out on, nothing is saved any more.
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
  // Another person or a guest is here now. If the root loader failed, that is unknown, and the copies stay.
  if (now.loaderData["root"] && (!reader || me !== reader)) return forgetOthers(null);
  if (!reader || !me || !keepsPages()) return;
  const path = now.location.pathname + now.location.search;
  if (now.errors) return isGone(now.errors) ? forgetPage(path) : undefined;
  // A page with the result of a form shows typed values, so it is not copied.
  if (now.actionData || path !== location.pathname + location.search || !isKept(now.location.pathname)) return;
  const copy = copyOfPage();
  if (copy) await keepCopy(reader, copy, Date.now());
}

const isGone = (errors: Record<string, { status?: number }>) =>
  Object.values(errors).some(({ status }) => status !== undefined && [401, 403, 404, 410].includes(status));

function idle(): Promise<void> {
  return new Promise((then) => {
    // Safari does not support it.
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => then(), { timeout: 2_000 });
    else then();
  });
}
