import { expect, test } from "../support/browser/fixtures.ts";
import {
  clickButton,
  followLink,
  main,
  reply,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("a live update after sign-out keeps the text being edited", async ({ page, signInAs, another }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("Told in time"), "As it was.");
  await page.locator("#post-1").getByLabel("More for post 1").click();
  await followLink(page.getByRole("link", { name: "Edit" }));
  const text = page.getByRole("textbox", { name: "Your post" });
  await text.fill("As it should be.");
  // The reload caused by a reply arrives after its reader was signed out.
  const asked = Promise.withResolvers<void>();
  const out = Promise.withResolvers<void>();
  await page.route("**/now?*", async (route) => {
    asked.resolve();
    await out.promise;
    await route.continue();
  });
  const tomas = await another("tomas");
  await tomas.goto(page.url().split("?")[0]!);
  await reply(tomas, "I have heard of that.");
  await asked.promise;
  const { origin } = new URL(page.url());
  await page.request.post("/logout", { form: { out: "1" }, headers: { origin }, maxRedirects: 0 });
  const read = page.waitForResponse((answer) => answer.url().includes("/now?"));
  out.resolve();
  await (await read).finished();
  await clickButton(page, "Save");
  await expect(main(page).getByRole("alert").getByRole("link", { name: "Sign in" })).toHaveAttribute(
    "target",
    "_blank",
  );
  await expect(text).toHaveValue("As it should be.");
  await signInAs("mira");
  await clickButton(page, "Save");
  await expect(page.locator("#post-1")).toContainText("As it should be.");
});
