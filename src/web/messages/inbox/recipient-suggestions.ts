import { data } from "react-router";
import { suggestRecipients } from "#community/conversations";
import { readQueryParam } from "../../form-parsing.ts";
import { defineLoader, requireSignedIn } from "../../request-context.ts";

/** Rate limit per person; a fast typist sends this many requests in a minute. */
const SUGGESTION_LIMIT = { points: 150, seconds: 60 };

/**
 * Suggests recipients by the start of their name, and says why some accept no messages. Called while people
 * type.
 */
export const loader = defineLoader(async ({ app, db, viewer, url }) => {
  await app.limits.take("who-can-be-written-to", SUGGESTION_LIMIT, requireSignedIn(viewer).id);
  return data(await suggestRecipients(db, viewer, readQueryParam(url, "typed", 40)));
});
