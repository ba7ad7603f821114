import { startTransition } from "react";
import { readAgain } from "../client/read-again.ts";
import { inOrder } from "./in-order.ts";
import { Soon } from "./soon.ts";

/** Milliseconds after which a failed fetch is repeated. */
const RETRY = 5_000;

/**
 * Fetches the current data of an open page on demand, and retries until it succeeds. `shut`: the viewer may
 * not see it any more.
 */
export function rereading<Now>(from: () => string, { took, shut }: { took: (now: Now) => void; shut: () => unknown }): Soon {
  const asking = inOrder();
  const soon = new Soon(async () => {
    const isNews = asking();
    const read = await readAgain<Now>(from());
    if (read === "shut") return shut();
    if (read === null) return soon.within(RETRY);
    // In a transition, since a component that few pages have may be fetched first: until then the page stays
    // as it is.
    if (isNews()) startTransition(() => took(read));
  });
  return soon;
}
