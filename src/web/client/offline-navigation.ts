import { hasCopy } from "./offline-store.ts";
import { hasNetwork, waitForNetwork } from "./network-state.ts";

/** Continues the last navigation that was requested without a network; null if there is none. */
let heldNavigation: (() => void) | null = null;

/**
 * Without a network, a navigation would replace this page by the browser's error page. So navigations wait,
 * and the last one continues when the network is back. A page with an offline copy opens immediately, unless
 * this page has unsaved input.
 */
export function holdNavigationOffline(): void {
  addEventListener(
    "click",
    (event) => holdEvent(event, findClickedLink(event), (link) => link.click(), openOfflineCopy),
    {
      capture: true,
    },
  );
  addEventListener(
    "submit",
    (event) => holdEvent(event, findSearchForm(event), (form) => form.requestSubmit()),
    { capture: true },
  );
}

function holdEvent<At extends HTMLElement>(
  event: Event,
  at: At | null,
  go: (at: At) => void,
  instead?: (at: At) => void,
): void {
  if (!at || hasNetwork()) return;
  event.preventDefault();
  event.stopPropagation();
  if (heldNavigation === null) void waitForNetwork().then(releaseHeld);
  heldNavigation = () => at.isConnected && go(at);
  instead?.(at);
}

const hasUnsavedText = () =>
  [...document.querySelectorAll("textarea")].some(
    ({ value, defaultValue }) => value.trim() !== "" && value !== defaultValue,
  );

function openOfflineCopy({ href, pathname, search }: HTMLAnchorElement): void {
  if (hasUnsavedText()) return;
  const go = (yes: boolean) => void (yes && !hasNetwork() && location.assign(href));
  hasCopy(pathname + search).then(go, () => {});
}

function releaseHeld() {
  const go = heldNavigation;
  heldNavigation = null;
  go?.();
}

/** Finds the internal link to another page that a plain click would open in this window. */
function findClickedLink(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  if (
    link.origin !== location.origin ||
    !["", "_self"].includes(link.target) ||
    link.hasAttribute("download")
  )
    return null;
  // No network is needed for a menu that opens on this page, or for an anchor on it.
  if (
    link.role === "button" ||
    (link.hash && link.pathname === location.pathname && link.search === location.search)
  )
    return null;
  return link;
}

/** Finds the submitted GET form. Other forms wait where their requests are sent. */
function findSearchForm(event: SubmitEvent): HTMLFormElement | null {
  return event.target instanceof HTMLFormElement && event.target.method === "get" ? event.target : null;
}
