/** Replaces `addReaction` in browser builds: see `PREACT_ALIASES` in vite.config.ts. */
export * from "preact/compat";
export { default } from "preact/compat";

/** The router uses it to show pending state, which the entry has switched off (`useTransitions`). */
export const useOptimistic = (value) => [value, () => {}];
