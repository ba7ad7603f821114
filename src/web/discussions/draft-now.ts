import { draftFor } from "#community/discussions";
import { asked } from "../forms.ts";
import { answerNow } from "../live/read-now.ts";
import { reading, signedIn } from "../visit.ts";

/**
 * The viewer's draft for `place`, for a form that is opened; null if there is none.
 * @throws `not-signed-in` for guests
 */
export const loader = reading(({ viewer, db, url }) => answerNow(() => draftFor(db, signedIn(viewer), asked(url, "place"))));
