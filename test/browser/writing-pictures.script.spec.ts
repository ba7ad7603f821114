import { expect, test } from "../support/browser/fixtures.ts";
import { startDiscussion, uniqueName } from "../support/browser/steps.ts";
import { createPicture } from "../support/browser/sample-picture.ts";

test("a picture is chosen, described and inserted; an invalid one is reported", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("With a picture"));
  const choose = page.getByLabel("Add picture");
  await choose.setInputFiles({ name: "bed.jpg", mimeType: "image/jpeg", buffer: await createPicture() });
  await page.getByLabel("Alt text").fill("A bed of beans");
  await expect(page.getByRole("progressbar")).toBeHidden();
  await accessible();
  await page.getByRole("button", { name: "Insert" }).click();
  await expect(page.getByLabel("Your reply")).toHaveValue(/!\[A bed of beans\]\(\/files\//);
  await choose.setInputFiles({
    name: "words.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from("no picture"),
  });
  await expect(page.getByText("This picture cannot be read.")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByLabel("Your reply").press("Control+Enter");
  await expect(page.locator("#post-2").getByRole("img", { name: "A bed of beans" })).toBeVisible();
  await accessible();
});

test("a reply sent during a picture upload is sent with the picture", async ({
  page,
  signInAs,
  accessible,
}) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("With a picture that is slow"));
  const choose = page.getByLabel("Add picture");
  const reply = page.getByRole("button", { name: "Reply", exact: true }).last();
  await choose.setInputFiles({ name: "bed.jpg", mimeType: "image/jpeg", buffer: await createPicture() });
  await page.getByLabel("Alt text").fill("A bed of beans");
  await expect(page.getByRole("progressbar")).toBeHidden();
  await reply.click();
  await expect(page.locator("#post-2").getByRole("img", { name: "A bed of beans" })).toBeVisible();

  const passing = Promise.withResolvers<void>();
  await page.route(/\/pictures/, async (route) => {
    await passing.promise;
    await route.continue();
  });
  await page.getByLabel("Your reply").fill("And another:");
  await choose.setInputFiles({ name: "bed.jpg", mimeType: "image/jpeg", buffer: await createPicture() });
  await page.getByLabel("Alt text").fill("A bed of peas");
  await reply.click();
  await expect(page.getByText("Your text is sent when the upload is complete.")).toBeVisible();
  await expect(page.getByLabel("Your reply")).toHaveValue("And another:");
  await accessible();
  passing.resolve();
  await expect(page.locator("#post-3").getByRole("img", { name: "A bed of peas" })).toBeVisible();
  await expect(page.locator("#post-3")).toContainText("And another:");
  await expect(page.getByLabel("Your reply")).toHaveValue("");
  await expect(page.getByLabel("Alt text")).toHaveCount(0);
});

test("a reply waits for its picture, even while the picture code is loading", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("With a picture on a slow line"));
  const passing = Promise.withResolvers<void>();
  await page.route(/pending-pictures/, async (route) => {
    await passing.promise;
    await route.continue();
  });
  await page.getByLabel("Your reply").fill("The bed in March:");
  await page
    .getByLabel("Add picture")
    .setInputFiles({ name: "bed.jpg", mimeType: "image/jpeg", buffer: await createPicture() });
  await page.getByRole("button", { name: "Reply", exact: true }).last().click();
  await expect(page.locator("form progress")).toBeVisible();
  await expect(page.getByLabel("Your reply")).toHaveValue("The bed in March:");
  passing.resolve();
  await expect(page.locator("#post-2 .prose img")).toHaveCount(1);
  await expect(page.locator("#post-2")).toContainText("The bed in March:");
  await expect(page.locator("#post-3")).toHaveCount(0);
});

test("a reply may consist of a picture that is still uploading", async ({ page, signInAs }) => {
  await signInAs("mira");
  await startDiscussion(page, uniqueName("With a picture and no word"));
  const passing = Promise.withResolvers<void>();
  await page.route(/\/pictures/, async (route) => {
    await passing.promise;
    await route.continue();
  });
  await page
    .getByLabel("Add picture")
    .setInputFiles({ name: "bed.jpg", mimeType: "image/jpeg", buffer: await createPicture() });
  await page.getByLabel("Alt text").fill("A bed of kale");
  await page.getByRole("button", { name: "Reply", exact: true }).last().click();
  await expect(page.getByText("Your text is sent when the upload is complete.")).toBeVisible();
  passing.resolve();
  await expect(page.locator("#post-2").getByRole("img", { name: "A bed of kale" })).toBeVisible();
});
