import { redirect } from "react-router";

/** Throws the way to a list's beginning where nothing stands (any more) behind the place that its address names. */
export function assertPlace(url: URL, rows: unknown[]): void {
  if (rows.length > 0 || !url.searchParams.has("after")) return;
  const rest = new URLSearchParams(url.searchParams);
  rest.delete("after");
  throw redirect(rest.size > 0 ? `${url.pathname}?${rest}` : url.pathname);
}
