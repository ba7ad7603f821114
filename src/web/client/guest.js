/*
 * The only script of a guest's page: shows times in the guest's time zone, and loads the app on the first
 * action or shortcut.
 */
const STEPS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];
const locale = document.documentElement.lang;
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });
const WEEK = 7 * 86400;
const WITHOUT_YEAR = 300 * 86400;
/*
 * Must format like `ui/text/time.tsx`. Needed because cached pages are rendered in one time zone for all
 * guests.
 */
const formatDate = (at, seconds) =>
  at.toLocaleDateString(locale, {
    day: "numeric",
    month: "short",
    ...(seconds > WITHOUT_YEAR && { year: "numeric" }),
  });

function updateTime(time) {
  const at = new Date(time.dateTime);
  const seconds = Math.round((Date.now() - at.getTime()) / 1000);
  time.title = exact.format(at);
  if (Math.abs(seconds) >= WEEK) {
    if (at.getDate() !== at.getUTCDate()) time.textContent = formatDate(at, seconds);
    return;
  }
  const [unit, size] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? ["second", 1];
  time.textContent = relative.format(unit === "second" ? 0 : -Math.trunc(seconds / size), unit);
}
for (const time of document.querySelectorAll("time[data-moment]")) updateTime(time);

/*
 * The app's scripts are in the page as inert text. When the app is needed, each text becomes a script, in
 * order.
 */
let isAppRequested = false;
function loadApp() {
  if (isAppRequested) return;
  isAppRequested = true;
  for (const kept of document.querySelectorAll('script[type="text/kith"]')) {
    const script = document.createElement("script");
    if (kept.hasAttribute("async")) script.type = "module";
    script.textContent = kept.textContent;
    // The script replaces its text in place: an additional element would break hydration.
    kept.replaceWith(script);
  }
}
for (const act of ["pointerdown", "keydown", "focusin", "input"])
  addEventListener(
    act,
    (event) =>
      event.target instanceof Element &&
      event.target.closest("form, button, summary, [data-sign-in]") &&
      loadApp(),
    { capture: true, passive: true },
  );

/*
 * Loads the app at once if a field already has the focus, or if the page does nothing without the app
 * (`data-wake`).
 */
if (document.activeElement?.closest("form") || document.querySelector("[data-wake]")) loadApp();

/*
 * The app handles shortcuts: keys pressed before it has loaded are recorded, and dispatched again
 * afterwards.
 */
const KEYS = ["/", "?", "g", "j", "k", "r", "n"];
const heldKeys = [];
addEventListener("keydown", (event) => {
  const root = document.documentElement;
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (root.dataset.signIn === "ready" || altKey || !document.querySelector("[data-sign-in]")) return;
  if (target.isContentEditable || target.closest?.("input, textarea, select")) return;
  const isSecond = heldKeys.at(-1)?.key === "g" && key.length === 1;
  if (ctrlKey || metaKey ? key !== "k" : !KEYS.includes(key) && !isSecond) return;
  // Browsers use some of these keys for shortcuts of their own.
  if (key !== "g") event.preventDefault();
  heldKeys.push({ key, ctrlKey, metaKey, bubbles: true, cancelable: true });
  if (heldKeys.length > 1) return loadApp();
  new MutationObserver((_, watch) => {
    if (root.dataset.signIn !== "ready") return;
    watch.disconnect();
    for (const press of heldKeys.splice(0))
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", press));
  }).observe(root, { attributeFilter: ["data-sign-in"] });
  loadApp();
});

/*
 * The sign-in dialog needs the app. A click waits for it; if loading takes too long, the browser opens the
 * sign-in page instead.
 */
addEventListener(
  "click",
  (event) => {
    const link = event.target instanceof Element && event.target.closest("a[data-sign-in]");
    const root = document.documentElement;
    if (
      !link ||
      root.dataset.signIn === "ready" ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    root.dataset.signIn = "wanted";
    loadApp();
    setTimeout(() => root.dataset.signIn === "wanted" && location.assign(link.href), 3000);
  },
  true,
);
