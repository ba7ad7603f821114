import { shellFor } from "#community/notifications";
import { reading, signedIn } from "../visit.ts";
import { answerNow } from "./read-now.ts";

/** What stands beside the page, read again on its own when figures have changed. `not-signed-in` for guests. */
export const loader = reading(({ viewer, db, url }) =>
  answerNow(async () => shellFor(db, signedIn(viewer), { conversations: url.searchParams.has("conversations") })),
);
