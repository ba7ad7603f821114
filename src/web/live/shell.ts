import { shellFor } from "#community/notifications";
import { reading, signedIn } from "../visit.ts";
import { answerNow } from "./read-now.ts";

/**
 * Current data of the layout, fetched on its own when counters have changed.
 * @throws `not-signed-in` for guests
 */
export const loader = reading(({ viewer, db, url }) =>
  answerNow(async () => shellFor(db, signedIn(viewer), { conversations: url.searchParams.has("conversations") })),
);
