import { redirect } from "react-router";
import { Refusal } from "#platform/refusal";
import { urls } from "../../urls.ts";
import type { RequestContext } from "../../request-context.ts";

/** Redirects to the page where the sign-in with a provider began, and shows the error there. */
export function handleProviderError(ctx: RequestContext, error: unknown) {
  if (!(error instanceof Refusal)) return error;
  if (ctx.me) return redirect(urls.settings(ctx.me.id, "security", "providers", { trouble: error.reason }));
  const after =
    error.reason === "too-many"
      ? "provider-many"
      : error.reason === "not-found"
        ? "provider-unavailable"
        : `provider-${error.reason}`;
  return redirect(urls.login({ after }));
}
