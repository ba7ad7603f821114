import { data } from "react-router";
import { recipientsFor } from "#community/conversations";
import { asked } from "../forms.ts";
import { reading, signedIn } from "../visit.ts";

/** Letters of a name, by a quick hand, in a minute. */
const ASKED = { points: 150, seconds: 60 };

/** Whom one can write to, by how their name begins; and who takes no message, with the reason. Asked while people type. */
export const loader = reading(async ({ house, db, viewer, url }) => {
  await house.limits.take("who-can-be-written-to", ASKED, signedIn(viewer).id);
  return data(await recipientsFor(db, viewer, asked(url, "typed", 40)));
});
