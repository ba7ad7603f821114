import type { acrossBreaks } from "./deeds.ts";

type Across = typeof acrossBreaks;
let across: Across | undefined;

/** What helps over a break is fetched once the page is awake, since it can not be fetched in one. */
export async function prepareForBreaks(): Promise<void> {
  const { acrossBreaks, afterWaking } = await import("./after-waking.ts");
  across = acrossBreaks;
  afterWaking();
}

/** What is asked of the house, as `acrossBreaks` does it; until that is there, as it comes. */
export const overBreaks = (...[request, next, t]: Parameters<Across>): ReturnType<Across> => (across ? across(request, next, t) : next());
