import { redirect } from "react-router";

/** Redirects to the first page of a list if the page at the cursor in the URL is empty. */
export function redirectFromEmptyPage(url: URL, rows: unknown[]): void {
  if (rows.length > 0 || !url.searchParams.has("after")) return;
  const rest = new URLSearchParams(url.searchParams);
  rest.delete("after");
  throw redirect(rest.size > 0 ? `${url.pathname}?${rest}` : url.pathname);
}
