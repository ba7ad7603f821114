import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/**
 * `path`: the page to open. With `from`, `path` is a pattern: the first matching link on the page `from` is
 * opened.
 */
export type Visit = { path: string; from?: string; status?: number };

export const DISCUSSION_LINK = /^\/discussions\/[0-9a-f-]{36}/;

/** Opens a page, checks its status, heading and title, and returns its path. */
export async function visit(page: Page, { path, from, status = 200 }: Visit) {
  if (from) await page.goto(from);
  const target = from ? await findLink(page, new RegExp(path)) : path;
  const answer = await page.goto(target);
  expect(answer?.status(), target).toBe(status);
  await expect(page.getByRole("heading", { level: 1 }), target).toHaveCount(1);
  expect(await page.title(), target).toMatch(/\S{3,}/);
  return target;
}

export async function findLink(page: Page, regExp: RegExp): Promise<string> {
  const links = await page.locator("a[href]").evaluateAll((all) => all.map((a) => a.getAttribute("href")!));
  const found = links.map((href) => href.split("#")[0]!).find((href) => regExp.test(href));
  expect(found, `a link like ${regExp} on ${page.url()}`).toBeDefined();
  return found!;
}
