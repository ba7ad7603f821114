import { data } from "react-router";
import { recipientsFor } from "#community/conversations";
import { asked } from "../forms.ts";
import { reading, signedIn } from "../visit.ts";

/** Requests per minute of a fast typist. */
const ASKED = { points: 150, seconds: 60 };

/**
 * Suggests recipients by the start of their name, and names the reason of those who accept no messages.
 * Called while people type.
 */
export const loader = reading(async ({ house, db, viewer, url }) => {
  await house.limits.take("who-can-be-written-to", ASKED, signedIn(viewer).id);
  return data(await recipientsFor(db, viewer, asked(url, "typed", 40)));
});
