import { copyPage, isCopyable } from "./page-copy.ts";
import {
  createStoresFor,
  deleteCopies,
  deleteCopy,
  saveCopy,
  areOfflineCopiesEnabled,
  getOfflineReaderId,
} from "./offline-store.ts";
import { hasNetwork } from "./network-state.ts";
import { currentRouter } from "./page-router.ts";
import { restoreOfflineInput } from "./offline-input.ts";

/** Milliseconds that a page must be shown before it is copied: a page that is left sooner was not read. */
const MIN_READ_TIME = 1_000;

/**
 * Registers the service worker and saves pages for offline reading, for people who stay signed in on this
 * device (decision 32).
 */
export function startOfflineCopies(): void {
  if (import.meta.env.DEV || !("serviceWorker" in navigator) || !("caches" in window)) return;
  // Until the service worker controls pages, no store exists for this reader, so it is created here.
  if (!navigator.serviceWorker.controller && areOfflineCopiesEnabled())
    void createStoresFor(getOfflineReaderId()).catch(noop);
  void navigator.serviceWorker.register("/sw.js", { scope: "/" }).catch(noop);
  restoreOfflineInput(getOfflineReaderId());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void whenIdle().then(saveCurrentPage).catch(noop), MIN_READ_TIME);
  };
  currentRouter()?.subscribe(soon);
  soon();
  // After the reader signs out, nothing more is saved.
  addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement) || new URL(target.action).pathname !== "/logout") return;
    delete document.documentElement.dataset["reader"];
    void deleteCopies().catch(noop);
  });
}
const noop = () => {};

async function saveCurrentPage(): Promise<void> {
  const now = currentRouter()?.state;
  if (!now || now.navigation.state !== "idle" || now.revalidation !== "idle" || !hasNetwork()) return;
  const me = now.loaderData.root?.me?.id;
  const reader = getOfflineReaderId();
  // Another person or a guest uses this device now, so copies are deleted. If the root loader failed, the
  // person is unknown, and the copies are kept.
  if (now.loaderData.root && (!reader || me !== reader)) return deleteCopies();
  if (!reader || !me || !areOfflineCopiesEnabled()) return;
  const path = now.location.pathname + now.location.search;
  if (now.errors) return isPageGone(now.errors) ? deleteCopy(path) : undefined;
  // A page with the result of a form shows typed values, so it is not copied.
  if (now.actionData || path !== location.pathname + location.search || !isCopyable(now.location.pathname))
    return;
  const copy = copyPage();
  if (copy) await saveCopy(reader, copy, Date.now());
}

const isPageGone = (errors: Record<string, { status?: number }>) =>
  Object.values(errors).some(({ status }) => status !== undefined && [401, 403, 404, 410].includes(status));

function whenIdle(): Promise<void> {
  return new Promise((then) => {
    // Safari does not support `requestIdleCallback`.
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => then(), { timeout: 2_000 });
    else then();
  });
}
