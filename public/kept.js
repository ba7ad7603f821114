/* The whole script of a page that is shown without a line: what is typed in it stays in this tab, and the page itself comes with the line. */
"use strict";

const line = document.querySelector("[data-as-of]");
const KEPT = `kith:typed:${document.documentElement.dataset.reader}:${location.pathname}`;
/** Milliseconds between looks whether the house can be reached. */
const LOOK = 10_000;

const fields = () => [...document.querySelectorAll("textarea[name]")];
const typed = () => fields().flatMap(({ name, value, defaultValue }) => (value === defaultValue ? [] : [{ name, value }]));

/* Reloaded without a line, what was typed stands there again. */
for (const { name, value } of JSON.parse(sessionStorage.getItem(KEPT) ?? "[]")) {
  const field = fields().find((it) => it.name === name);
  if (field) field.value = value;
}
addEventListener("input", () => {
  const words = typed();
  if (words.length > 0) sessionStorage.setItem(KEPT, JSON.stringify(words));
  else sessionStorage.removeItem(KEPT);
});

addEventListener("submit", (event) => {
  event.preventDefault();
  line.firstChild.data = `${line.dataset.unsent} `;
  line.scrollIntoView({ block: "nearest" });
});

const look = () =>
  fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
    () => location.reload(),
    () => {},
  );
addEventListener("online", look);
setInterval(look, LOOK);
