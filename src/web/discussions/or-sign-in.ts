import { isSignedIn, type Viewer } from "#community/rules";
import { isId } from "#platform/ids";
import { Refusal } from "#platform/refusal";

/**
 * What stands at an id, for this viewer. A guest does not learn whether there is such a thing: it may be there for members, and `refuse` says
 * so of whatever they do not find.
 */
export async function orSignIn<T>(viewer: Viewer, id: string, read: Promise<T>, refuse: () => Error | Response): Promise<T> {
  return read.catch((error: unknown) => {
    const hidden = error instanceof Refusal && error.reason === "not-found" && isId(id) && !isSignedIn(viewer);
    throw hidden ? refuse() : error;
  });
}
