import { holdPresses } from "./held-presses.ts";
import { keepPages } from "./kept-pages.ts";

export { acrossBreaks } from "./deeds.ts";

/** What can wait until the page is awake, and could not be fetched in a break. */
export function afterWaking(): void {
  holdPresses();
  keepPages();
}
