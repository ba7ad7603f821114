import { getDraft } from "#community/discussions";
import { readQueryParam } from "../../form-parsing.ts";
import { liveResponse } from "../../live/live-response.ts";
import { defineLoader, requireSignedIn } from "../../request-context.ts";

/**
 * Returns the viewer's draft for `place`, requested when a form is opened; null if there is none.
 * @throws `not-signed-in` for guests
 */
export const loader = defineLoader(({ viewer, db, url }) =>
  liveResponse(() => getDraft(db, requireSignedIn(viewer), readQueryParam(url, "place"))),
);
