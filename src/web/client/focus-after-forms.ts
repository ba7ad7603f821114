import { nextFrame } from "./click-and-focus.ts";
import { onRouterChange } from "./page-router.ts";

const ROWS = "main :is(li, tr, article, [data-item])";
const CONTROLS = "h2 a, h3 a, a[href], button, summary";

/**
 * After a form removed the row or the control that had the focus, moves the focus to that row, else to the next
 * or previous row, else to the heading of the page. Without this, the keyboard would start again at the top of
 * the page.
 */
export function startFocusAfterForms(): void {
  let candidates: Element[] | null = null;
  // The capture phase comes before the router, and before a menu that closes.
  document.addEventListener(
    "submit",
    ({ target }) => {
      if (!(target instanceof HTMLFormElement) || target.method !== "post") return;
      if (document.activeElement === document.body) return;
      candidates = listCandidates(target);
    },
    true,
  );
  onRouterChange(({ state }) => {
    if (!candidates || state.navigation.state !== "idle" || state.revalidation !== "idle") return;
    const rows = candidates;
    candidates = null;
    // The page is rendered, and the focus of a removed element is lost, with the next frame.
    void nextFrame()
      .then(nextFrame)
      .then(() => document.activeElement === document.body && focusFirst(rows));
  });
}

/** The rows around a form from the inside out, each followed by the rows after and before it. */
function listCandidates(form: Element): Element[] {
  const rows: Element[] = [];
  for (let row = form.closest(ROWS); row; row = row.parentElement?.closest(ROWS) ?? null) {
    const all = [...(row.parentElement?.children ?? [])].filter((it) => it.matches(ROWS));
    const at = all.indexOf(row);
    rows.push(row, ...all.slice(at + 1), ...all.slice(0, at).toReversed());
  }
  return rows;
}

function focusFirst(rows: Element[]): void {
  for (const row of rows) {
    if (!row.isConnected) continue;
    const target = row.matches("[tabindex]") ? row : row.querySelector(CONTROLS);
    if (target instanceof HTMLElement) target.focus();
    if (document.activeElement !== document.body) return;
  }
  focusHeading();
}

/** Focuses the heading of the page, so that reading and Tab continue from there. */
export function focusHeading(): void {
  const heading =
    document.querySelector<HTMLElement>("main h1") ?? document.querySelector<HTMLElement>("main");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
