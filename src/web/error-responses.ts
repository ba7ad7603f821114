import { data } from "react-router";
import { isOutOfSpace, isUnavailable } from "#platform/database";
import type { Message } from "#platform/messages";
import { HTTP_STATUS, Refusal } from "#platform/refusal";
import { renderSubmittedForm } from "./resubmit-form.ts";
import type { RequestContext } from "./request-context.ts";
import { translateFor } from "./translate-for.ts";

/**
 * Data of the error page, in the language of the request. `submittedFormHtml` is the submitted form as HTML.
 */
export type ErrorPageData = {
  status: number;
  message: string;
  description: string;
  incident: string;
  retryAfter?: number;
  submittedFormHtml?: string;
};

/** Turns an error into a response that the error page can show. Only a bug is logged at level error. */
export function toErrorResponse(error: unknown, ctx: RequestContext) {
  // A redirect, or a response created by a route.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller throws it again as it is
  if (error instanceof Response || isRouteResponse(error)) return error as never;
  if (error instanceof Refusal)
    return createErrorResponse(ctx, HTTP_STATUS[error.reason], error.descriptor, error.retryAfter);
  if (isOutOfSpace(error)) {
    ctx.app.log.error({ incident: ctx.incident }, "the disk is full");
    return createErrorResponse(
      ctx,
      503,
      "There is no storage space left. The administrators have been notified.",
      60,
    );
  }
  if (isUnavailable(error)) {
    ctx.app.log.warn({ incident: ctx.incident, err: error }, "the database cannot be reached");
    return createErrorResponse(
      ctx,
      503,
      "The database is not reachable right now. Try again in a minute.",
      5,
    );
  }
  if (isDataError(error)) return createErrorResponse(ctx, 400, "The request cannot be read.");
  ctx.app.log.error({ incident: ctx.incident, err: error }, "a request failed");
  return createErrorResponse(
    ctx,
    500,
    "Something went wrong on the server. It is logged under the number below.",
  );
}

function createErrorResponse(ctx: RequestContext, status: number, description: Message, retryAfter?: number) {
  // The router drops headers of thrown responses, so headers are set on the request context.
  if (retryAfter !== undefined) ctx.headers["retry-after"] = String(retryAfter);
  const facts: ErrorPageData = {
    status,
    message: translateFor(ctx, STATUS_MESSAGES[status] ?? "Internal Server Error"),
    description: translateFor(ctx, description),
    incident: ctx.incident,
    retryAfter,
    ...(ctx.submittedForm && { submittedFormHtml: renderSubmittedForm(ctx, ctx.submittedForm) }),
  };
  return data(facts, { status });
}

const isRouteResponse = (thrown: unknown) =>
  typeof thrown === "object" && thrown !== null && "type" in thrown && thrown.type === "DataWithResponseInit";

/**
 * PostgreSQL error class 22 (such as a text with a zero byte, or a number out of range) is caused by the
 * client's input.
 */
const isDataError = (error: unknown) =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  /^22[0-9A-Z]{3}$/.test(String(error.code));

/** Messages by status; other statuses are an `Internal Server Error`. */
export const STATUS_MESSAGES: Record<number, string> = {
  400: "Bad Request",
  401: "Sign in",
  403: "Not allowed",
  404: "Page Not Found",
  405: "Method Not Allowed",
  409: "Someone else changed this first",
  410: "Gone",
  413: "Too large",
  415: "Unreadable form",
  419: "The form has expired",
  422: "Check your entries",
  429: "Too many requests",
  500: "Internal Server Error",
  503: "Back soon",
};
