import { answerNow } from "../live/read-now.ts";
import { reading, signedIn } from "../visit.ts";
import { friendsPage } from "./friends-data.ts";

/** The same tab as it is now, for who has it open. `not-signed-in` for guests. */
export const loader = reading(({ visit, viewer, db, url }) => answerNow(async () => friendsPage(db, signedIn(viewer), url, visit.now)));
