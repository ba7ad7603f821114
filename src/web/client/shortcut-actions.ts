import { urls } from "../urls.ts";
import { focusReplyField, POST_ACTIONS } from "./post-shortcuts.ts";
import { clickAndFocus } from "./click-and-focus.ts";

type ShortcutAction = (go: (to: string) => void) => void | Promise<void>;

/**
 * Actions of single-key shortcuts. They click elements of the page, so a person who may not do something has
 * no element to click.
 */
const ACTIONS: Record<string, ShortcutAction> = {
  "/": () =>
    document
      .querySelector<HTMLElement>("main input[type=search]:not([hidden]), .shell-rail input[type=search]")
      ?.focus(),
  j: () => focusNextItem(1),
  k: () => focusNextItem(-1),
  o: () => mainLink(document.activeElement?.closest("main [data-item]:not(article)"))?.click(),
  c: startWriting,
  n: (go) =>
    goToUnread(urls.discussion(""), () => go(urls.discussions({ next: "unread", from: currentId() }))),
  p: (go) =>
    goToUnread(urls.conversation(""), () => go(urls.messages({ next: "unread", from: currentId() }))),
  ...POST_ACTIONS,
};

let isBusy = false;

/** Runs the action of a key. While a slow action runs, other keys are ignored. */
export async function runShortcut({ key, repeat }: KeyboardEvent, go: (to: string) => void): Promise<void> {
  if (isBusy || (repeat && key !== "j" && key !== "k")) return;
  isBusy = true;
  try {
    const own = findOwnAction(key);
    if (own) own.click();
    else await ACTIONS[key]?.(go);
  } finally {
    isBusy = false;
  }
}

/**
 * Finds an element that has an action for this key: in the focused row or, without one, anywhere on the page
 * outside rows.
 */
const findOwnAction = (key: string) =>
  document.activeElement
    ?.closest("main [data-item]")
    ?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ??
  document.querySelector<HTMLElement>(`main [data-key="${CSS.escape(key)}"]:not([data-item] *)`);

const mainLink = (item: Element | null | undefined) => item?.querySelector<HTMLElement>("h2 a, h3 a, a");

/** Focuses the next or previous post or row of the page, so that Enter and Tab continue from there. */
function focusNextItem(by: 1 | -1) {
  const items = [...document.querySelectorAll<HTMLElement>("main [data-item]")];
  if (items.length === 0) return;
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const next = at >= 0 ? items[at + by] : firstInView(items, by);
  if (!next) return;
  const target = next.matches("[tabindex]") ? next : (mainLink(next) ?? next);
  target.focus({ preventScroll: true });
  next.scrollIntoView({ block: next.offsetHeight > innerHeight * 0.8 ? "start" : "nearest" });
}

const firstInView = (items: HTMLElement[], by: 1 | -1) =>
  by === 1
    ? items.find((item) => item.getBoundingClientRect().top >= 0)
    : items.findLast((item) => item.getBoundingClientRect().bottom <= innerHeight);

/**
 * Starts the main action of this page; of several main actions, the one nearest to the content. Without a
 * main action, focuses the reply field or opens the page for new content.
 */
function startWriting(): void | Promise<void> {
  const start = [...document.querySelectorAll<HTMLElement>("main [data-compose]")].at(-1);
  const form = start?.closest("details");
  if (!start)
    return focusReplyField() ? undefined : document.querySelector<HTMLElement>("[data-start]")?.click();
  if (!form)
    return clickAndFocus(start, "main form :is(input:is([type=text], [type=url], :not([type])), textarea)");
  if (!form.open) start.click();
  form.querySelector<HTMLElement>("input:not([type=hidden]), textarea")?.focus();
}

/**
 * Opens the next link after the current one to something unread whose address begins with `kind`; after the
 * last link it starts again from the first. Without such a link, calls `otherwise`.
 */
function goToUnread(kind: string, otherwise: () => void) {
  const links = [
    ...document.querySelectorAll<HTMLAnchorElement>(`a[data-unread][href^="${kind}"]:not([aria-current])`),
  ];
  const from = document.activeElement ?? document.body;
  const next =
    links.find((link) => from.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING) ?? links[0];
  if (next) next.click();
  else otherwise();
}

/** The id of the current discussion or conversation, from the address. */
const currentId = () => location.pathname.split("/")[2];
