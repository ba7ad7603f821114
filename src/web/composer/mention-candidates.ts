import { data } from "react-router";
import { listMentionables } from "#community/discussions";
import { readQueryParam } from "../form-parsing.ts";
import { defineLoader, requireSignedIn } from "../request-context.ts";

/** Rate limit per person; a fast typist sends this many requests in a minute. */
const SUGGESTION_LIMIT = { points: 150, seconds: 60 };

/** Mention suggestions for composers, fetched while people type. */
export const loader = defineLoader(async ({ app, db, viewer, url }) => {
  await app.limits.take("who-can-be-called", SUGGESTION_LIMIT, requireSignedIn(viewer).id);
  return data(
    await listMentionables(db, viewer, readQueryParam(url, "place"), readQueryParam(url, "typed", 40)),
  );
});
