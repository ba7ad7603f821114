import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";
import { createPicture } from "../support/browser/sample-picture.ts";

test("a cover picture is pasted, positioned by keyboard, saved, and removed by an admin", async ({
  page,
  signInAs,
  accessible,
  mail,
  another,
}) => {
  await signInAs("tomas");
  await page.goto("/users/tomas");
  const main = page.getByRole("main");
  await followLink(main.getByRole("link", { name: "Cover", exact: true }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your cover picture");
  const picture = [...(await createPicture())];
  await page.evaluate((bytes) => {
    const carried = new DataTransfer();
    carried.items.add(new File([new Uint8Array(bytes)], "pasted.jpg", { type: "image/jpeg" }));
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: carried, bubbles: true }));
  }, picture);
  const frame = page.getByRole("application", { name: "Visible part" });
  await frame.focus();
  const numbers = page.getByRole("spinbutton", { name: "Zoom" });
  await page.keyboard.press("+");
  await expect(numbers).toHaveValue("110");
  await page.keyboard.press("ArrowDown");
  await numbers.fill("200");
  await accessible();
  await page.getByLabel("Alt text", { exact: true }).fill("A green field");

  // The upload is cancelled: the form stays as it was.
  let letGo = () => {};
  const released = new Promise<void>((go) => (letGo = go));
  await page.route(/\/picture\/header/, async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  await main.getByRole("button", { name: "Save picture" }).click();
  await expect(main.getByRole("progressbar", { name: "Uploading the picture" })).toBeVisible();
  await main.getByRole("button", { name: "Cancel" }).click();
  await expect(main.getByRole("button", { name: "Save picture" })).toBeVisible();
  await expect(page.getByLabel("Alt text", { exact: true })).toHaveValue("A green field");
  letGo();
  await page.unroute(/\/picture\/header/);
  await main.getByRole("button", { name: "Save picture" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tomas Varga");
  await expect(main.getByRole("img", { name: "A green field" })).toBeVisible();

  const other = await another("ada");
  await other.goto("/users/tomas");
  await other.getByLabel("Actions for Tomas Varga").click();
  await other.getByText("Remove cover…").click();
  await other.getByRole("textbox", { name: "Reason (sent by email)" }).fill("It is too green for words.");
  await other.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(other.getByRole("img", { name: "A green field" })).toHaveCount(0);
  await mail("tomas@example.org", "It is too green for words.");
});

test("an invalid picture shows an error and keeps the typed alt text", async ({ page, signInAs }) => {
  await signInAs("ines");
  await page.goto("/users/ines");
  const main = page.getByRole("main");
  await followLink(main.getByRole("link", { name: "Photo", exact: true }));
  const choose = page.getByLabel("Choose a picture");
  await page.getByLabel("Alt text", { exact: true }).fill("Me");
  await choose.setInputFiles({
    name: "logo.svg",
    mimeType: "image/png",
    buffer: Buffer.from("<svg><script>alert(1)</script></svg>"),
  });
  await main.getByRole("button", { name: "Save photo" }).click();
  await expect(page.getByText(/“logo.svg” \(image\/png\) is not a picture we can read/)).toBeVisible();
  await expect(page.getByLabel("Alt text", { exact: true })).toHaveValue("Me");
  await choose.setInputFiles({
    name: "phone.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.concat([Buffer.from("00000018", "hex"), Buffer.from("ftypheic"), Buffer.alloc(400)]),
  });
  await main.getByRole("button", { name: "Save photo" }).click();
  await expect(page.getByText(/HEIC pictures are not supported/)).toBeVisible();
});
