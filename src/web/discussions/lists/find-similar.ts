import { data } from "react-router";
import { listSimilarDiscussions } from "#community/search";
import { readQueryParam } from "../../form-parsing.ts";
import { defineLoader, requireSignedIn } from "../../request-context.ts";

/** Rate limit per person while they type titles. */
const TITLE_LIMIT = { points: 60, seconds: 60 };

/** Finds discussions with titles similar to a new title. Requested while people type the title. */
export const loader = defineLoader(async ({ app, db, viewer, url }) => {
  await app.limits.take("similar", TITLE_LIMIT, requireSignedIn(viewer).id);
  return data(await listSimilarDiscussions(db, viewer, readQueryParam(url, "title")));
});
