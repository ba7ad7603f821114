import { expect, test } from "../support/browser/fixtures.ts";
import { uniqueName } from "../support/browser/steps.ts";
import { createPicture } from "../support/browser/sample-picture.ts";

test("a picture is sent with the form, and appears in the text", async ({ page, signInAs }) => {
  await signInAs("mira");
  await page.goto("/groups/long-beds/new");
  await page.getByLabel("Title").fill(uniqueName("A picture by form"));
  await page.getByLabel("Text", { exact: true }).fill("How the bed looks:");
  await page.getByText("Add picture").click();
  await page
    .getByLabel("Picture (JPEG")
    .setInputFiles({ name: "bed.jpg", mimeType: "image/jpeg", buffer: await createPicture() });
  await page.getByLabel("Alt text").fill("A bed of beans");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(
    page.getByRole("region", { name: "Preview" }).getByRole("img", { name: "A bed of beans" }),
  ).toBeVisible();
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue(/!\[A bed of beans\]\(\/files\//);
  await page.getByRole("button", { name: "Start discussion" }).click();
  await expect(page.locator("#post-1").getByRole("img", { name: "A bed of beans" })).toBeVisible();
});
