/**
 * Fetches current data for an open page. Returns `shut` if the viewer may not see it, null if it could not
 * be fetched. It does not use the router, which would show an error page for a lost connection.
 */
export async function fetchLiveData<T>(url: string): Promise<T | "shut" | null> {
  const answer = await fetch(url, { cache: "no-store" }).catch(() => null);
  if (answer === null) return null;
  if ([401, 403, 404, 410].includes(answer.status)) return "shut";
  const text = answer.ok ? await answer.text().catch(() => null) : null;
  return text === null ? null : JSON.parse(text, reviveDates);
}

const reviveDates = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && "$at" in value ? new Date(Number(value.$at)) : value;
