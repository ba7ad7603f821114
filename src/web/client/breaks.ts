import type { acrossBreaks } from "./deeds.ts";

type Across = typeof acrossBreaks;
let across: Across | undefined;

/** Loads the code for connection losses after hydration, since it cannot be fetched during one. */
export async function prepareForBreaks(): Promise<void> {
  const { acrossBreaks, afterWaking } = await import("./after-waking.ts");
  across = acrossBreaks;
  afterWaking();
}

/** Runs a request with offline handling once that is loaded; plainly until then. */
export const overBreaks = (...[request, next, t]: Parameters<Across>): ReturnType<Across> => (across ? across(request, next, t) : next());
