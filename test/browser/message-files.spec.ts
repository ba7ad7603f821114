import type { Page } from "@playwright/test";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { main, uniqueName } from "../support/browser/steps.ts";
import { createPicture } from "../support/browser/sample-picture.ts";

const begin = async (page: Page, to: string, words: string) => {
  await page.goto(`/messages?to=${encodeURIComponent(to)}`);
  await main(page).getByLabel("Message", { exact: true }).fill(words);
  await main(page).getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(/\/conversations\//);
};

test(
  "a picture sent in a message is visible to the conversation",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, another }) => {
    const [writer, reader] = ["mira", "tomas"] as const;
    await signInAs(writer);
    await begin(page, reader, uniqueName("The first pear"));
    const address = new URL(page.url()).pathname;
    const file = { name: "pear.png", mimeType: "image/png", buffer: await createPicture() };
    const shows = uniqueName("A pear");
    await main(page).getByLabel("Add picture").setInputFiles(file);
    await main(page).getByLabel("Alt text").fill(shows);
    await main(page).getByRole("button", { name: "Insert" }).click();
    await main(page).getByRole("button", { name: "Send", exact: true }).click();
    const picture = main(page).getByRole("img", { name: shows });
    await expect(picture).toBeVisible();
    await accessible();
    const source = (await picture.getAttribute("src"))!;
    await page.goto("/rules");
    const other = await another(reader);
    await other.goto(address);
    await expect(main(other).getByRole("img", { name: shows })).toBeVisible();
    expect((await other.request.get(source)).status()).toBe(200);
    const stranger = await another("ada");
    expect((await stranger.request.get(source)).status()).toBe(404);
  },
);

test("a file sent in a message can be opened by the recipient and is in the conversation's file list", async ({
  page,
  signInAs,
  another,
  javaScriptEnabled,
  accessible,
}) => {
  const [writer, reader] = javaScriptEnabled ? ["mira", "tomas"] : ["chidi", "hana"];
  await signInAs(writer);
  await begin(page, reader, uniqueName("The list of seeds"));
  const address = new URL(page.url()).pathname;
  const name = `${uniqueName("seeds").replace(" ", "-")}.csv`;
  const file = { name, mimeType: "text/csv", buffer: Buffer.from("kind,packets\nbeans,3\n") };
  if (javaScriptEnabled) {
    await main(page).getByLabel("Add file").setInputFiles(file);
    await expect(page.getByLabel("Write a message").and(page.getByRole("textbox"))).toHaveValue(
      new RegExp(`\\[${name}\\]`),
    );
  } else {
    await page.getByLabel("Write a message").fill("Here it is:");
    await main(page).locator("summary", { hasText: "Add picture or file" }).click();
    await main(page).locator('input[type="file"]').setInputFiles(file);
  }
  await main(page).getByRole("button", { name: "Send", exact: true }).click();
  const sent = main(page).getByRole("article").getByRole("link", { name });
  await expect(sent).toBeVisible();
  const there = await another(reader);
  await there.goto(`${address}/files?what=files`);
  const listed = main(there).getByRole("link", { name });
  await expect(listed).toBeVisible();
  expect(await (await there.request.get((await listed.getAttribute("href"))!)).text()).toContain("beans,3");
  await page.goto(`${address}/files?what=files`);
  await accessible();
});
