import { data } from "react-router";
import { isOutOfSpace, isUnavailable } from "#platform/database";
import { HTTP_STATUS, Refusal } from "#platform/refusal";
import { givenBack } from "./given-back.ts";
import { said, type Visit } from "./visit.ts";

/** Data of the error page, in the language of the request; `givenBack` is HTML. */
export type ErrorFacts = {
  status: number;
  message: string;
  description: string;
  incident: string;
  retryAfter?: number;
  givenBack?: string;
};

/** Turns an error into a response that the error page can show. Only a bug is logged as an error. */
export function answerTo(error: unknown, visit: Visit) {
  // A redirect, or a response that a route made itself.
  if (error instanceof Response || isAnswer(error)) return error as never;
  if (error instanceof Refusal) return answer(visit, HTTP_STATUS[error.reason], error.message, error.retryAfter);
  if (isOutOfSpace(error)) {
    visit.house.log.error({ incident: visit.incident }, "the disk is full");
    return answer(visit, 503, "There is no room left to store anything here. Whoever runs this place has been told.", 60);
  }
  if (isUnavailable(error)) {
    visit.house.log.warn({ incident: visit.incident, err: error }, "the database cannot be reached");
    return answer(visit, 503, "We cannot reach our memory right now. It usually comes back within a minute.", 5);
  }
  if (isDataFault(error)) return answer(visit, 400, "Something in that request cannot be read.");
  visit.house.log.error({ incident: visit.incident, err: error }, "a request failed");
  return answer(visit, 500, "Something broke on our side. It is written down under the number below.");
}

function answer(visit: Visit, status: number, description: string, retryAfter?: number) {
  // The router drops the headers of thrown responses, so they are sent through the request context.
  if (retryAfter !== undefined) visit.headers["retry-after"] = String(retryAfter);
  const facts: ErrorFacts = {
    status,
    message: said(visit, MESSAGES[status] ?? "Internal Server Error"),
    description: said(visit, description),
    incident: visit.incident,
    retryAfter,
    ...(visit.given && { givenBack: givenBack(visit, visit.given) }),
  };
  return data(facts, { status });
}

const isAnswer = (thrown: unknown) =>
  typeof thrown === "object" && thrown !== null && "type" in thrown && thrown.type === "DataWithResponseInit";

/** PostgreSQL's class 22 (a text with a zero byte, a number out of range): the client's error, not ours. */
const isDataFault = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error && /^22[0-9A-Z]{3}$/.test(String(error.code));

/** Messages by status; other statuses are an `Internal Server Error`. */
export const MESSAGES: Record<number, string> = {
  400: "Bad Request",
  401: "Please sign in",
  403: "Not allowed",
  404: "Page Not Found",
  405: "Method Not Allowed",
  409: "Somebody was quicker",
  410: "No longer here",
  413: "Too large",
  415: "Not a form we can read",
  419: "That form has expired",
  422: "Not quite right yet",
  429: "One moment, please",
  500: "Internal Server Error",
  503: "Back in a moment",
};
