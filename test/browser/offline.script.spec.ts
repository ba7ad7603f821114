import { expect, test } from "../support/browser/fixtures.ts";
import {
  clickButton,
  followLink,
  main,
  reply,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test.use({ serviceWorkers: "allow" });

test("a reply sent offline is shown at once, and sent after reconnection", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("In the cellar"));
  await page.reload();
  await page.context().setOffline(true);
  await page.getByLabel("Your reply").fill("Down here there is no network.");
  await clickButton(page, "Reply");
  await expect(page.getByRole("list", { name: "Not sent yet" })).toContainText(
    "Down here there is no network.",
  );
  await page.context().setOffline(false);
  await expect(
    main(page).getByRole("article").filter({ hasText: "Down here there is no network." }),
  ).toBeVisible();
  await expect(page.getByRole("list", { name: "Not sent yet" })).toHaveCount(0);
});

test("an action taken offline is sent after reconnection, and the page stays open until then", async ({
  page,
  signInAs,
}) => {
  const title = uniqueName("Between two towers");
  await signInAs("mira");
  await startDiscussion(page, title);
  await page.context().setOffline(true);
  await main(page).getByLabel("More for post 1").click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await page.context().setOffline(false);
  const text = main(page).getByLabel("Your post");
  await text.fill("Other words.");
  await page.context().setOffline(true);
  await clickButton(page, "Save");
  await expect(text).toHaveValue("Other words.");
  await page.context().setOffline(false);
  await expect(main(page).getByRole("article").first()).toContainText("Other words.");

  await page.context().setOffline(true);
  await page
    .getByRole("link", { name: /^Groups/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await page.context().setOffline(false);
  await expect(page).toHaveURL(/\/groups$/);
});

test("a failed action shows an error and keeps the typed text", async ({ page, signInAs, accessible }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Behind a wall"));
  await reply(page, "The first try.");
  await main(page).getByLabel("More for post 2").click();
  await followLink(page.getByRole("link", { name: "Edit", exact: true }));
  const text = main(page).getByLabel("Your post");
  await text.fill("The second try.");
  const fails: { status: number; body: string }[] = [
    { status: 502, body: "Bad Gateway" },
    { status: 413, body: "Payload Too Large" },
  ];
  await page.route(/\/discussions\/[^/]+\.data/, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    const fail = fails.shift();
    return fail ? route.fulfill(fail) : route.abort("connectionreset");
  });
  for (const words of ["Sending failed.", "This is too large.", "Sending failed."]) {
    await clickButton(page, "Save");
    await expect(main(page).getByRole("alert").filter({ hasText: words }).first()).toBeVisible();
    await expect(text).toHaveValue("The second try.");
  }
  await accessible();
  await page.unroute(/\/discussions\/[^/]+\.data/);
  await clickButton(page, "Save");
  await expect(main(page).getByRole("article").filter({ hasText: "The second try." })).toBeVisible();
});

test("a page that failed to load is retried automatically", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/resources");
  await page.route(/\/groups\.data/, (route) => route.abort("connectionreset"));
  await followLink(page.getByRole("link", { name: /^Groups/ }).first());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not reachable");
  await page.unroute(/\/groups\.data/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Groups");
});

test("a discussion started offline is sent later, although another request of the page failed", async ({
  page,
  signInAs,
}) => {
  const title = uniqueName("In the long tunnel");
  await signInAs("mira");
  await page.goto("/groups/long-beds/new");
  await page.context().setOffline(true);
  // The list of similar discussions is fetched only once there is a title.
  const failed = page.waitForEvent("requestfailed", (request) =>
    request.url().includes("similar-discussions"),
  );
  await page.getByLabel("Title").fill(title);
  await failed;
  await page.getByLabel("Text", { exact: true }).fill("There are mushrooms on the wall.");
  await clickButton(page, "Start discussion");
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
});
