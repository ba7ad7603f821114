import { startTransition } from "react";
import { readAgain } from "../client/read-again.ts";
import { inOrder } from "./in-order.ts";
import { Soon } from "./soon.ts";

/** Milliseconds until what could not be read is tried again. */
const RETRY = 5_000;

/** Reads what a page stands on again, whenever that is wanted, and until it could be had. `shut`: it is not for this viewer any more. */
export function rereading<Now>(from: () => string, { took, shut }: { took: (now: Now) => void; shut: () => unknown }): Soon {
  const asking = inOrder();
  const soon = new Soon(async () => {
    const isNews = asking();
    const read = await readAgain<Now>(from());
    if (read === "shut") return shut();
    if (read === null) return soon.within(RETRY);
    // Not at once where a part that few pages have is fetched for it first: until then the page stays as it is.
    if (isNews()) startTransition(() => took(read));
  });
  return soon;
}
