import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { type TokenAccess, type TokenArea, tokenRules, type Viewer } from "#community/rules";

/**
 * Checks that the viewer's token may be used for an area; `undefined` is an area that is closed to tokens.
 * Does nothing for viewers without a token.
 * @throws `not-allowed` naming the missing scope
 */
export function assertTokenScope(viewer: Viewer, area: TokenArea | undefined, access: TokenAccess): void {
  if (tokenRules.use(viewer, area, access)) return;
  const withAllGroups = { ...viewer, groupIds: undefined };
  throw area === undefined || tokenRules.use(withAllGroups, area, access)
    ? closedToTokens()
    : new Refusal(
        "not-allowed",
        msg("This access token does not have the scope “{scope}”.", { scope: `${area}:${access}` }),
      );
}

/** Refusal of a call that personal access tokens cannot make. */
export const closedToTokens = () =>
  new Refusal("not-allowed", "This cannot be done with a personal access token.");
