/** What the browser's scripts import as `react`: see `DRAWN_BY` in vite.config.ts. */
export * from "preact/compat";
export { default } from "preact/compat";

/** The router calls it for a way to show what is on its way, which the entry has turned off (`useTransitions`): what is, it says. */
export const useOptimistic = (value) => [value, () => {}];
