import { holdPresses } from "./held-presses.ts";
import { keepPages } from "./kept-pages.ts";

export { acrossBreaks } from "./deeds.ts";

/** Starts what can wait until hydration, and could not be fetched during a connection loss. */
export function afterWaking(): void {
  holdPresses();
  keepPages();
}
