import { data, type DataStrategyResult, isRouteErrorResponse } from "react-router";
import type { ErrorPageData } from "../error-responses.ts";
import { readTypedValues } from "../typed-values.ts";
import type { RejectedForm } from "../request-context.ts";
import { waitForNetwork, UNREACHABLE_ERROR } from "./network-state.ts";

/** Error for a page that could not be fetched, although neither the page nor its address is wrong. */
class UnreachableError extends Error {
  override name = UNREACHABLE_ERROR;
}

type RouteResult = DataStrategyResult;
type RouteResults = Record<string, RouteResult>;
type TranslateText = (sentence: string) => string;

/**
 * Waits for a network before a request. A request that fails on the way or at the server does not replace
 * the page by an error page: a form keeps its values and shows the reason, as after a rejection.
 */
export async function handleOfflineRequest(
  request: Request,
  next: () => Promise<RouteResults>,
  t: TranslateText,
): Promise<RouteResults> {
  await waitForNetwork(request.signal);
  const copy = request.method === "GET" ? null : request.clone();
  const results = await next();
  for (const [route, it] of Object.entries(results))
    if (it.type === "error") results[route] = copy ? await rejectForm(it, copy, t) : markUnreachable(it);
  return results;
}

const thrownValue = ({ result }: RouteResult): unknown =>
  typeof result === "object" &&
  result !== null &&
  "type" in result &&
  result.type === "DataWithResponseInit" &&
  "data" in result
    ? result.data
    : result;

/** Only `fetch` and reading its response can throw a TypeError here, since our loaders run on the server. */
const isNetworkError = (error: unknown) => error instanceof TypeError;

const markUnreachable = (it: RouteResult): RouteResult =>
  isNetworkError(thrownValue(it)) ? { type: "error", result: new UnreachableError() } : it;

async function rejectForm(result: RouteResult, request: Request, t: TranslateText): Promise<RouteResult> {
  const error = thrownValue(result);
  const message = failureMessage(error, t);
  const status = isRouteErrorResponse(error) && error.status === 401 ? 401 : 503;
  if (message === null) return result;
  const typed = readTypedValues(await request.formData());
  return {
    type: "data",
    result: data<RejectedForm>(
      { refused: { message, fields: {}, reason: status === 401 ? "not-signed-in" : "unavailable" }, typed },
      { status },
    ),
  };
}

/** Returns why an action failed; null for an error with a separate page, such as 404. */
function failureMessage(error: unknown, t: TranslateText): string | null {
  if (isNetworkError(error)) return t("Sending failed. Your text is still here: try again.");
  if (!isRouteErrorResponse(error)) return null;
  if (error.status === 413) return t("This is too large.");
  if (error.status === 429) return t("Too many requests. Your text is still here: try again in a moment.");
  const { description, incident, submittedFormHtml }: Partial<ErrorPageData> = error.data ?? {};
  // The person was signed out meanwhile; the form keeps its text.
  if (error.status === 401 && submittedFormHtml) return description ?? null;
  if (error.status < 500) return null;
  if (!description) return t("Sending failed. Your text is still here: try again.");
  return incident && error.status === 500 ? `${description} ${incident}` : description;
}
