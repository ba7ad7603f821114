import { onRouterChange, type PageRouter, currentRouter } from "./page-router.ts";
import { focusHeading } from "./focus-after-forms.ts";

/** Milliseconds for which a toast is shown. They begin anew when the pointer or the focus leaves the toast. */
const SHOWN_FOR = 10_000;

/**
 * Shows notices of the last form as toasts: each for ten seconds, longer while the pointer or the focus is on
 * it. Escape and its button close it. The server renders the toast (`notices/notice-toast.tsx`).
 */
export function startNoticeToasts(): void {
  let shown = noticeOf(currentRouter())?.id;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Element that had the focus before the toast. */
  let before: EventTarget | null = null;
  const region = document.querySelector<HTMLElement>("#notices") ?? document.createElement("div");
  const close = () => {
    clearTimeout(timer);
    const hadFocus = region.contains(document.activeElement);
    region.replaceChildren();
    if (!hadFocus) return;
    if (before instanceof HTMLElement && before.isConnected) before.focus();
    else focusHeading();
  };
  const stop = () => clearTimeout(timer);
  const wait = () => {
    stop();
    if (!region.matches(":hover, :focus-within")) timer = setTimeout(close, SHOWN_FOR);
  };
  region.addEventListener("pointerenter", stop);
  region.addEventListener("pointerleave", wait);
  region.addEventListener("focusin", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && region.contains(relatedTarget))) before = relatedTarget;
    stop();
  });
  // The focus has not moved yet.
  region.addEventListener("focusout", () => setTimeout(wait));
  region.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-close]")) close();
  });
  region.addEventListener("submit", (event) => {
    const router = currentRouter();
    if (!router || !(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    const formData = new FormData(event.target);
    formData.set("back", location.pathname + location.search);
    const to = new URL(event.target.action).pathname;
    void router.navigate(to, { formMethod: "post", formData, preventScrollReset: true, replace: true });
    close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || isSomethingOpen()) return;
    close();
  });
  onRouterChange((router) => {
    const notice = noticeOf(router);
    if (!notice || notice.id === shown) return;
    shown = notice.id;
    if (!region.isConnected) document.body.append(region);
    region.innerHTML = notice.html;
    wait();
  });
  if (region.hasChildNodes()) wait();
}

const noticeOf = (router: PageRouter | undefined) => router?.state.loaderData.root?.notice;

/** Whether Escape closes something else first. */
const isSomethingOpen = () => document.querySelector("dialog[open], .menu[open], .menu-list.block") !== null;
