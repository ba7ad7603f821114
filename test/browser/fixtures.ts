import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { DEMO_PASSWORD } from "../../src/secrets.ts";

type Fixtures = {
  /** Signs in as one of the demo's people (mira, tomas, ines, ada), through the form. */
  signInAs: (username: string, password?: string) => Promise<void>;
  /** The words of the latest mail to an address. */
  mail: (to: string) => Promise<string>;
  /** Finds what stands in somebody's way on the page as it is. */
  accessible: () => Promise<void>;
  /** What the browser complained of so far. */
  complaints: string[];
};

export const test = base.extend<Fixtures>({
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      await use(complaints);
    },
    { auto: true },
  ],
  signInAs: async ({ page }, use) => {
    await use(async (username, password = DEMO_PASSWORD) => {
      await page.goto("/login");
      await page.getByLabel("E-mail address or user name").fill(username);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
      await expect(page).not.toHaveURL(/\/login/);
    });
  },
  mail: async ({ page }, use) => {
    await use(async (to) => {
      const reader = await page.context().browser()!.newContext({ javaScriptEnabled: false });
      const box = await reader.newPage();
      // Mail leaves by a job: it is there a moment after the page that sent it.
      await expect(async () => {
        await box.goto(new URL(`/dev/mail?to=${encodeURIComponent(to)}`, page.url()).href);
        await box.getByRole("main").getByRole("listitem").first().getByRole("link").first().click({ timeout: 1_000 });
        await expect(box.getByTestId("mail-text")).toBeVisible();
      }).toPass({ timeout: 10_000 });
      const text = (await box.getByTestId("mail-text").textContent()) ?? "";
      await reader.close();
      return text;
    });
  },
  accessible: async ({ page, javaScriptEnabled }, use) => {
    // What looks for them is a script itself.
    await use(async () => void (javaScriptEnabled && (await assertAccessible(page))));
  },
});

/** Colours that are still on their way from light to dark are neither: what moves is brought to its end. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
    for (const moving of document.getAnimations()) if (moving instanceof CSSTransition) moving.finish();
  });

async function assertAccessible(page: Page) {
  await settled(page);
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const found = violations.map(
    (it) =>
      `${it.id}: ${it.help}\n  ${it.nodes
        .slice(0, 4)
        .map((node) => node.html.slice(0, 200))
        .join("\n  ")}`,
  );
  expect(found, `accessibility of ${page.url()}`).toEqual([]);
}

export { expect };
