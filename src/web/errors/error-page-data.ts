import { isRouteErrorResponse, type MetaDescriptor } from "react-router";
import type { ErrorPageData } from "../error-responses.ts";
import { isUnreachable } from "../client/network-state.ts";
import { readRootData } from "../ui/page-meta.ts";
import { translate, getTranslations } from "../i18n/index.ts";

/**
 * Returns the data of an error for its page. A bug in the browser, or an error before the server could
 * respond, is an `Internal Server Error`.
 */
export function getErrorData(error: unknown, t: (text: string) => string): ErrorPageData {
  if (isRouteErrorResponse(error)) {
    const data: ErrorPageData | string | null = error.data;
    if (typeof data === "object" && data?.status) return data;
    // Errors raised by the router.
    const known: Record<number, string> = {
      400: t("Bad Request"),
      404: t("Page Not Found"),
      405: t("Method Not Allowed"),
    };
    const message = known[error.status] ?? (error.status === 500 ? "" : error.statusText);
    return {
      status: error.status,
      message: message || t("Internal Server Error"),
      description: "",
      incident: "",
    };
  }
  if (isUnreachable(error))
    return {
      status: 503,
      message: t("Not reachable"),
      description: t("The page loads automatically when it is available."),
      incident: "",
    };
  return {
    status: 500,
    message: t("Internal Server Error"),
    description: t("Something went wrong on the server. Try again."),
    incident: "",
  };
}

/** Head tags of an error page, for routes with their own error messages; other routes set their own title. */
export function errorMeta({
  error,
  matches,
}: {
  error?: unknown;
  matches: readonly ({ loaderData?: unknown } | undefined)[];
}): MetaDescriptor[] {
  if (!error) return [];
  const i18n = getTranslations(readRootData(matches)?.locale ?? "en");
  const { status, message } = getErrorData(error, (text) => translate(i18n, text));
  return [{ title: `${status} · ${message.split(/: (?=\/)/)[0]}` }, { name: "robots", content: "noindex" }];
}
