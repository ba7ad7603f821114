import { answerNow } from "../live/read-now.ts";
import { reading, signedIn } from "../visit.ts";
import { friendsPage } from "./friends-data.ts";

/**
 * The current data of a tab, for an open page.
 * @throws `not-signed-in` for guests
 */
export const loader = reading(({ visit, viewer, db, url }) => answerNow(async () => friendsPage(db, signedIn(viewer), url, visit.now)));
