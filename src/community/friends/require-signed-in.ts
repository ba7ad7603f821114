import { Refusal } from "#platform/refusal";
import { isSignedIn, type SignedIn, type Viewer } from "#community/rules";

/**
 * Returns the viewer as a signed-in person.
 * @throws `not-signed-in` for guests
 */
export function requireSignedIn(viewer: Viewer): SignedIn {
  if (!isSignedIn(viewer)) throw new Refusal("not-signed-in", "Sign in first.");
  return viewer;
}
