import { data, type DataStrategyResult, isRouteErrorResponse } from "react-router";
import type { ErrorFacts } from "../answers.ts";
import { typedInto } from "../typed.ts";
import type { Refused } from "../visit.ts";
import { network, UNREACHABLE } from "./network.ts";

/** A page that could not be fetched; neither the page nor its address is wrong. */
class Unreachable extends Error {
  override name = UNREACHABLE;
}

type Result = DataStrategyResult;
type Results = Record<string, Result>;
type Say = (sentence: string) => string;

/**
 * Waits for a network before a request. A failure under way, or of the server, does not replace the page by
 * an error page: a form is answered as rejected, so that it keeps its values and shows why.
 */
export async function acrossBreaks(request: Request, next: () => Promise<Results>, t: Say): Promise<Results> {
  await network(request.signal);
  const copy = request.method === "GET" ? null : request.clone();
  const results = await next();
  for (const [route, it] of Object.entries(results))
    if (it.type === "error") results[route] = copy ? await refused(it, copy, t) : unreachable(it);
  return results;
}

const thrown = ({ result }: Result): unknown =>
  typeof result === "object" && result !== null && "type" in result && result.type === "DataWithResponseInit" && "data" in result
    ? result.data
    : result;

/** Only fetch and reading its response can throw this here: our loaders run on the server. */
const isLost = (error: unknown) => error instanceof TypeError;

const unreachable = (it: Result): Result => (isLost(thrown(it)) ? { type: "error", result: new Unreachable() } : it);

async function refused(it: Result, request: Request, t: Say): Promise<Result> {
  const error = thrown(it);
  const message = whyNot(error, t);
  const status = isRouteErrorResponse(error) && error.status === 401 ? 401 : 503;
  if (message === null) return it;
  const typed = typedInto(await request.formData());
  return {
    type: "data",
    result: data<Refused>(
      { refused: { message, fields: {}, reason: status === 401 ? "not-signed-in" : "unavailable" }, typed },
      { status },
    ),
  };
}

/** Why an action failed; null if the error has a page of its own, such as 404. */
function whyNot(error: unknown, t: Say): string | null {
  if (isLost(error)) return t("That did not get through. What you wrote is still here: please try again.");
  if (!isRouteErrorResponse(error)) return null;
  if (error.status === 413) return t("That is larger than what is taken here.");
  if (error.status === 429) return t("That was too much in too short a time. What you wrote is still here: try again in a moment.");
  const { description, incident, givenBack } = (error.data ?? {}) as Partial<ErrorFacts>;
  // Signed out meanwhile: the form keeps its text.
  if (error.status === 401 && givenBack) return description ?? null;
  if (error.status < 500) return null;
  if (!description) return t("That did not get through. What you wrote is still here: please try again.");
  return incident && error.status === 500 ? `${description} ${incident}` : description;
}
