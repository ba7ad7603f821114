import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";

/**
 * People who read in one language each. The language is stored with the account, so no other test uses them.
 */
const READERS = { de: "nadia", fr: "marguerite", es: "joaquin", ar: "salma" } as const;
const LANGUAGES = ["de", "fr", "es", "ar"] as const;
/** Pages that are read in one language each. The home page is read in every language. */
const PAGES = [
  "/groups",
  "/groups/new",
  "/discussions",
  "/messages",
  "/myFriends",
  "/notifications",
  "/bookmarks",
  "/drafts",
  "/users",
  "/resources",
  "/resources/new",
  "/resources/new/files",
  "/search?q=seeds",
  "/rules",
  "/privacy",
  "/about",
];

type Heard = { seen: string[] };
const catalogue = (locale: string) =>
  JSON.parse(readFileSync(`src/web/i18n/${locale}.json`, "utf8")) as Record<string, string>;

/** Records every heading and title that a page ever had, and which translation scripts it loaded. */
async function overhear(page: Page) {
  const fetched: string[] = [];
  page.on("request", (request) =>
    fetched.push(...(/\/assets\/_virtual_(words-[\w]+-\w+)-/.exec(request.url())?.slice(1) ?? [])),
  );
  await page.addInitScript(() => {
    const target = window as unknown as Heard;
    target.seen = [];
    const note = () => target.seen.push(document.title, document.querySelector("h1")?.textContent ?? "");
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return { fetched, seen: () => page.evaluate(() => (window as unknown as Heard).seen) };
}

/** Reported errors of pages: React reports text mismatches only there. */
async function reports(page: Page) {
  const messages: string[] = [];
  await page.route("**/api/log", async (route) => {
    messages.push(...(route.request().postDataJSON() as { message: string }[]).map(({ message }) => message));
    await route.fulfill({ json: {} });
  });
  return async () => {
    // The client sends its errors as soon as ten are queued: ten more empty the queue.
    await Promise.all([
      expect.poll(() => messages.filter((message) => message === "the end").length).toBeGreaterThan(0),
      page.evaluate(() =>
        Array.from({ length: 10 }, () => dispatchEvent(new ErrorEvent("error", { message: "the end" }))),
      ),
    ]);
    return messages.splice(0).filter((message) => message !== "the end");
  };
}

async function signInReading(
  page: Page,
  locale: keyof typeof READERS,
  { signInAs, baseURL }: { signInAs: (who: string) => Promise<void>; baseURL: string },
) {
  await signInAs(READERS[locale]);
  const answer = await page.request.post("/display", {
    form: { locale },
    headers: { origin: baseURL },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(302);
}

for (const [at, locale] of LANGUAGES.entries()) {
  test.describe(`in ${locale}`, () => {
    test("pages have the same texts in the browser as on the server", async ({
      page,
      signInAs,
      baseURL,
      complaints,
    }) => {
      await signInReading(page, locale, { signInAs, baseURL: baseURL! });
      const getReports = await reports(page);
      for (const path of ["/", ...PAGES.filter((_path, n) => n % LANGUAGES.length === at)]) {
        await page.goto(path);
        expect(await getReports(), path).toEqual([]);
        await expect(page.locator("html")).toHaveAttribute("lang", locale);
        expect(complaints, path).toEqual([]);
      }
    });

    test("a section's translations load with its first page, and English is never shown first", async ({
      page,
      signInAs,
      baseURL,
    }) => {
      await signInReading(page, locale, { signInAs, baseURL: baseURL! });
      const { fetched, seen } = await overhear(page);
      const words = catalogue(locale);
      await page.goto("/");
      expect([...new Set(fetched)]).toEqual([`words-${locale}-home`]);
      await page.locator(".shell a[href='/groups']").first().click();
      await expect(
        page.getByRole("heading", { level: 1, name: words["Groups"]!, exact: true }),
      ).toBeVisible();
      await page.locator("a[href='/groups/new']").first().click();
      await expect(
        page.getByRole("heading", { level: 1, name: words["New group"]!, exact: true }),
      ).toBeVisible();
      expect([...new Set(fetched)]).toEqual([`words-${locale}-home`, `words-${locale}-groups`]);
      expect((await seen()).filter((text) => /Groups|New group/.test(text))).toEqual([]);
    });

    test("errors and missing pages are in the chosen language", async ({ page, signInAs, baseURL }) => {
      await signInReading(page, locale, { signInAs, baseURL: baseURL! });
      const words = catalogue(locale);
      await page.goto("/groups/new");
      await page.locator("main form").evaluate((form: HTMLFormElement) => {
        form.noValidate = true;
        form.requestSubmit();
      });
      await expect(page.getByRole("alert").first()).toBeVisible();
      expect(Object.values(words)).toContain(
        await page.getByRole("alert").first().locator("p").first().textContent(),
      );
      await page.goto("/nothing/here");
      await expect(page.getByRole("heading", { level: 1 })).toContainText(words["Page Not Found"]!);
      await expect(
        page.getByText(
          words["There is nothing at this address. It may have moved, or you don't have access."]!,
        ),
      ).toBeVisible();
    });
  });
}
