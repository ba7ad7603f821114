import { createPdf } from "../support/sample-files.ts";
import { expect, test } from "../support/browser/fixtures.ts";
import { chooseByMode, clickButton, followLink, main, uniqueName } from "../support/browser/steps.ts";

test("several files are added at once, each with its own title", async ({
  page,
  signInAs,
  javaScriptEnabled,
  accessible,
}) => {
  await signInAs("ines");
  await page.goto("/resources/new");
  await followLink(main(page).getByRole("link", { name: "Files" }));
  const words = uniqueName("leeks");
  const fileOf = (name: string, text: string) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(text),
  });
  await expect(main(page).getByText(/^PDF, office files/)).toBeVisible();
  if (javaScriptEnabled) await expect(main(page).getByRole("button", { name: "Send" })).toHaveCount(0);
  await accessible();
  await page
    .getByLabel("Choose files")
    .setInputFiles([fileOf(`../${words}.md`, `# Beds\n\n**${words}**`), fileOf("evil.pdf", "<html>")]);
  if (!javaScriptEnabled) await clickButton(page, "Send");
  await expect(main(page).getByText(/“evil.pdf” is a web page/)).toBeVisible();
  if (javaScriptEnabled) await clickButton(page, "Remove: evil.pdf");
  else {
    await page.getByLabel("Choose files").setInputFiles([fileOf(`../${words}.md`, `# Beds\n\n**${words}**`)]);
    await clickButton(page, "Send");
  }
  await expect(page.getByLabel("Title")).toHaveValue(words);
  await accessible();
  await clickButton(page, "Add to the library");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(words);
  await expect(main(page).getByRole("heading", { name: "Beds" })).toBeVisible();
  await expect(main(page).getByRole("link", { name: "Download" })).toHaveAttribute("download", `${words}.md`);
  await followLink(main(page).getByRole("link", { name: "Replace file" }));
  await page.getByLabel("New file").setInputFiles([fileOf("other.md", "# Other beds")]);
  await page.getByLabel("Changes (optional)").fill("Other beds now.");
  // Waits for the upload, because the submit button then changes its colours, which are checked below.
  if (javaScriptEnabled) await expect(main(page).getByText("1 of 1 uploaded.")).toBeVisible();
  await accessible();
  await clickButton(page, "Replace file");
  await expect(main(page).getByRole("heading", { name: "Other beds" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(words);
});

test("a PDF is read, searched, and opened at a page", async ({
  page,
  signInAs,
  javaScriptEnabled,
  accessible,
  complaints,
}) => {
  await signInAs(chooseByMode(javaScriptEnabled, "tomas", "mira"));
  await page.goto("/resources/new/files");
  if (javaScriptEnabled) await expect(main(page).getByRole("button", { name: "Send" })).toHaveCount(0);
  const pages = Array.from({ length: 300 }, (_, i) =>
    i === 230 ? "A hidden radish" : `Page ${i + 1} of leeks`,
  );
  await page.getByLabel("Choose files").setInputFiles({
    name: `${uniqueName("book")}.pdf`,
    mimeType: "application/pdf",
    buffer: createPdf(pages),
  });
  if (!javaScriptEnabled) await clickButton(page, "Send");
  await clickButton(page, "Add to the library");
  await expect(main(page).getByRole("link", { name: "Download" })).toBeVisible();
  const address = page.url().replace(/[?#].*/, "");
  if (!javaScriptEnabled) {
    // A job extracts the text a moment after the upload.
    await expect(async () => {
      await page.goto(`${address}?page=231`);
      await expect(main(page).getByRole("heading", { name: "Text of page 231 of 300" })).toBeVisible({
        timeout: 1_000,
      });
    }).toPass({ timeout: 20_000 });
    await expect(main(page).getByText("A hidden radish")).toBeVisible();
    await followLink(main(page).getByRole("link", { name: "Previous page" }));
    await expect(main(page).getByText("Page 230 of leeks")).toBeVisible();
    return;
  }
  await expect(main(page).getByText("of 300", { exact: true })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search in this file" }).fill("radish");
  await page.keyboard.press("Enter");
  await expect(main(page).getByRole("status").filter({ hasText: "1 of 1" })).toBeVisible();
  await expect(page).toHaveURL(/#page=231$/);
  await expect(page.getByRole("textbox", { name: "Page" })).toHaveValue("231");
  await accessible();
  await page.goto("/resources");
  await page.goto(`${address}#page=12`);
  await expect(page.getByRole("textbox", { name: "Page" })).toHaveValue("12");
  await expect(main(page).getByText("Page 12 of leeks")).toBeVisible();
  await page.getByRole("region", { name: "Pages" }).press("ArrowRight");
  await expect(page.getByRole("textbox", { name: "Page" })).toHaveValue("13");
  expect(complaints).toEqual([]);
});
