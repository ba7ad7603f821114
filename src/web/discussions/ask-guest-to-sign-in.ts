import { isSignedIn, type Viewer } from "#community/rules";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";

/**
 * Awaits a read. If a guest gets `not-found`, throws `refuse()` instead, so that a guest does not learn
 * whether the item exists for members.
 */
export async function askGuestToSignIn<T>(
  viewer: Viewer,
  id: string,
  read: Promise<T>,
  refuse: () => Error | Response,
): Promise<T> {
  return read.catch((error: unknown) => {
    const hidden =
      error instanceof Refusal && error.reason === "not-found" && isId(id) && !isSignedIn(viewer);
    throw hidden ? refuse() : error;
  });
}
