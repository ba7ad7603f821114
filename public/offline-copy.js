/*
 * The only script of an offline copy. It stores what is typed in this tab, and loads the page once there is
 * a connection.
 */
"use strict";

const notice = document.querySelector("[data-as-of]");
const STORAGE_KEY = `kith:typed:${document.documentElement.dataset.reader}:${location.pathname}`;
/** Milliseconds between attempts to reach the server. */
const RETRY_INTERVAL = 10_000;

const fields = () => [...document.querySelectorAll("textarea[name]")];
const readTypedFields = () =>
  fields().flatMap(({ name, value, defaultValue }) => (value === defaultValue ? [] : [{ name, value }]));

/* Restores typed text after the copy was reloaded without a connection. */
for (const { name, value } of JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]")) {
  const field = fields().find((it) => it.name === name);
  if (field) field.value = value;
}
addEventListener("input", () => {
  const typed = readTypedFields();
  if (typed.length > 0) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(typed));
  else sessionStorage.removeItem(STORAGE_KEY);
});

addEventListener("submit", (event) => {
  event.preventDefault();
  notice.firstChild.data = `${notice.dataset.unsent} `;
  notice.scrollIntoView({ block: "nearest" });
});

const reloadIfReachable = () =>
  fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
    () => location.reload(),
    () => {},
  );
addEventListener("online", reloadIfReachable);
setInterval(reloadIfReachable, RETRY_INTERVAL);
