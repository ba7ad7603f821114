/**
 * Reads something again for a page that stands open. `shut` when it is not for this viewer (any more), null when it could
 * not be read just now. By hand and not by the router: that would take a line that breaks for a page that is broken.
 */
export async function readAgain<T>(url: string): Promise<T | "shut" | null> {
  const answer = await fetch(url, { cache: "no-store" }).catch(() => null);
  if (answer === null) return null;
  if ([401, 403, 404, 410].includes(answer.status)) return "shut";
  const text = answer.ok ? await answer.text().catch(() => null) : null;
  return text === null ? null : (JSON.parse(text, withMoments) as T);
}

const withMoments = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && "$at" in value ? new Date(value.$at as number) : value;
