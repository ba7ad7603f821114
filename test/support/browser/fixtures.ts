import axe from "axe-core";
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from "@playwright/test";
import { isBackgroundRequest, noteForms, waitForPendingForms } from "./pending-forms.ts";
import { DEMO_PASSWORD } from "../../../src/app/secrets.ts";

/**
 * Opens a window for another person, signed in or a guest, in a separate browser context like this one or
 * with `options`.
 */
export type OpenWindow = (username?: string, options?: BrowserContextOptions) => Promise<Page>;

type TestFixtures = {
  /**
   * Signs in as one of the demo's people (mira, tomas, ines, ada). The sign-in form itself is tested in
   * accounts.spec.ts.
   */
  signInAs: (username: string) => Promise<void>;
  another: OpenWindow;
  /**
   * Returns the text of the latest mail to an address that this test has not read yet. Pass `words` when
   * other mails may arrive meanwhile: it then returns the latest mail that contains them.
   */
  mail: (to: string, words?: string) => Promise<string>;
  /** Checks the accessibility of the current page or its element `within`, by all rules or by `rule`. */
  accessible: (rule?: string, window?: Page, within?: string) => Promise<void>;
  /**
   * Checks colours in the light and the dark scheme. All other rules have the same result in both schemes,
   * so they are checked once.
   */
  accessibleInBothSchemes: () => Promise<void>;
  /** Errors that the browser's console has shown so far. */
  complaints: string[];
};

/**
 * Delays each form by `KITH_SLOW_FORMS` milliseconds and each page by `KITH_SLOW_PAGES`, to find tests that
 * mistake an optimistic update for the response, or the page before a click for the page after it.
 */
const SLOW_FORMS = Number(process.env["KITH_SLOW_FORMS"] ?? 0);
const SLOW_PAGES = Number(process.env["KITH_SLOW_PAGES"] ?? 0);

async function delayRequests(context: BrowserContext) {
  if (SLOW_FORMS === 0 && SLOW_PAGES === 0) return;
  await context.route(
    (url) => !isBackgroundRequest(url),
    async (route) => {
      const request = route.request();
      const page = request.isNavigationRequest() || new URL(request.url()).pathname.endsWith(".data");
      const delay = request.method() === "POST" ? SLOW_FORMS : page ? SLOW_PAGES : 0;
      if (delay === 0) return route.fallback();
      await new Promise((done) => setTimeout(done, delay));
      // The page may have been closed meanwhile.
      await route.continue().catch(() => {});
    },
  );
}

const UNFINISHED_PAGE = "html[data-viewer=member]:not([data-hydrated][data-started])";

/**
 * Makes `goto` and `reload` wait for forms that are being sent, and return once the page handles keys, clicks and
 * connection losses, unless the test names the moment itself (`waitUntil`). Guests' pages hydrate on the first
 * action only.
 */
function awaitFormsAndHydration(page: Page, scripts: boolean) {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const hydrated = async () => {
    if (scripts) await page.locator(UNFINISHED_PAGE).waitFor({ state: "detached" });
  };
  page.goto = async (url, options) => {
    if (!options?.waitUntil) await waitForPendingForms(page);
    const answer = await goto(url, options);
    if (!options?.waitUntil) await hydrated();
    return answer;
  };
  page.reload = async (options) => {
    if (!options?.waitUntil) await waitForPendingForms(page);
    const answer = await reload(options);
    if (!options?.waitUntil) await hydrated();
    return answer;
  };
}

async function prepareContext(context: BrowserContext, scripts = true) {
  noteForms(context);
  context.on("page", (page) => awaitFormsAndHydration(page, scripts));
  await delayRequests(context);
}

/** Playwright's warning where a page registers a service worker that the test does not allow. */
const NO_SERVICE_WORKER = "Service Worker registration blocked by Playwright";

export const test = base.extend<TestFixtures>({
  context: async ({ context, javaScriptEnabled }, use) => {
    await prepareContext(context, javaScriptEnabled);
    await use(context);
  },
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && message.text() !== NO_SERVICE_WORKER)
          complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      await use(complaints);
    },
    { auto: true },
  ],
  signInAs: async ({ page, baseURL }, use) => {
    await use((username) => signIn(page, username, baseURL!));
  },
  another: async ({ browser, baseURL, javaScriptEnabled }, use) => {
    const windows: Page[] = [];
    await use(async (username, options) => {
      const context = await browser.newContext({
        baseURL,
        javaScriptEnabled,
        reducedMotion: "reduce",
        ...options,
      });
      await prepareContext(context, options?.javaScriptEnabled ?? javaScriptEnabled);
      const page = await context.newPage();
      windows.push(page);
      if (username) await signIn(page, username, baseURL!);
      return page;
    });
    for (const page of windows) await page.context().close();
  },
  mail: async ({ request }, use) => {
    const open = async (path: string) => (await request.get(path)).text();
    // Mails that the test has read. Without this list an earlier mail would be returned while a job is still
    // sending the next one.
    const read = new Set<string>();
    await use(async (to, words = "") => {
      // A job sends the mail a moment after the page's request.
      let text = "";
      await expect(async () => {
        const mailbox = await open(`/dev/mail?to=${encodeURIComponent(to)}`);
        const latest = [...mailbox.matchAll(/href="(\/dev\/mail\/[0-9a-f-]{36})"/g)].map(([, path]) => path!);
        const unread = latest.slice(0, 5).filter((path) => !read.has(path));
        expect(unread).not.toEqual([]);
        for (const path of unread) {
          text = findMailText(await open(path));
          if (!text.includes(words)) continue;
          read.add(path);
          return;
        }
        expect(text).toContain(words);
      }).toPass({ timeout: 30_000 });
      return text;
    });
  },
  accessible: async ({ page, javaScriptEnabled }, use) => {
    // The accessibility check is a script, so it needs a page with scripts.
    await use(
      async (rule, window = page, within) =>
        void (javaScriptEnabled && (await assertAccessible(window, rule, within))),
    );
  },
  accessibleInBothSchemes: async ({ page, accessible }, use) => {
    await use(async () => {
      await accessible();
      await page.emulateMedia({ colorScheme: "dark" });
      await accessible("color-contrast");
      await page.emulateMedia({ colorScheme: "light" });
    });
  },
});

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** Finds the plain text of a mail in the page that shows it. */
const findMailText = (page: string) =>
  /<pre[^>]*data-testid="mail-text"[^>]*>(.*?)<\/pre>/s
    .exec(page)![1]!
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);

/** Signs in by the form's request alone, without loading the pages before and after it. */
async function signIn(page: Page, username: string, baseURL: string) {
  await page.context().clearCookies();
  const answer = await page.request.post("/login", {
    form: { login: username, password: DEMO_PASSWORD },
    headers: { origin: baseURL },
    maxRedirects: 0,
  });
  expect([username, answer.status()]).toEqual([username, 302]);
}

/**
 * Turns off transitions, also for later changes: during a transition from light to dark, a colour belongs to
 * neither scheme. Puts the bars at the edges of the window into the flow: where the page happens to be scrolled
 * to, they would cover a control by half.
 */
const stopMotion = (page: Page) =>
  page.evaluate(async () => {
    const still = new CSSStyleSheet();
    still.replaceSync(`
      *, ::before, ::after { transition: none !important; }
      .topbar, .bottombar, .title-bar, .title-bar > div { position: static !important; height: auto !important; }
    `);
    document.adoptedStyleSheets.push(still);
    await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
  });
const resumeMotion = (page: Page) => page.evaluate(() => void document.adoptedStyleSheets.pop());

const ALL_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function assertAccessible(page: Page, rule?: string, within?: string) {
  await expect(page.locator(".progress")).toHaveCount(0);
  await stopMotion(page);
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(axe.source);
  const runOnly = rule
    ? { type: "rule" as const, values: [rule] }
    : { type: "tag" as const, values: ALL_TAGS };
  const found = await page.evaluate(
    async ({ selector, options }) => {
      const { axe: checker } = window as unknown as { axe: typeof import("axe-core") };
      const { violations } = await checker.run(selector ?? document, options);
      return violations.map(
        ({ id, help, nodes }) =>
          `${id}: ${help}\n  ${nodes
            .slice(0, 4)
            .map(({ html }) => html.slice(0, 200))
            .join("\n  ")}`,
      );
    },
    { selector: within, options: { runOnly, resultTypes: ["violations" as const] } },
  );
  await resumeMotion(page);
  expect(found, `accessibility of ${page.url()}`).toEqual([]);
}

/**
 * Tag of tests that run with scripts only: they check layout, colours or accessibility, which are the same
 * without scripts, or use forms of a kind that another test sends without scripts. The other tests of their
 * files run both ways.
 */
export const JAVASCRIPT_ONLY = "@scripts-only";

export { expect };
