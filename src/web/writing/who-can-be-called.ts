import { data } from "react-router";
import { callable } from "#community/discussions";
import { asked } from "../forms.ts";
import { reading, signedIn } from "../visit.ts";

/** Letters that a fast typist types after `@` in a minute. */
const ASKED = { points: 150, seconds: 60 };

/** Mention suggestions for composers, fetched while people type. */
export const loader = reading(async ({ house, db, viewer, url }) => {
  await house.limits.take("who-can-be-called", ASKED, signedIn(viewer).id);
  return data(await callable(db, viewer, asked(url, "place"), asked(url, "typed", 40)));
});
