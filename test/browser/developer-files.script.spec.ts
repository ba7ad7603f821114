import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test("an admin stores files in directories, renames, moves and deletes them, and sets permissions", async ({
  page,
  signInAs,
  accessible,
}) => {
  const own = "script";
  await signInAs("ada");
  await page.goto("/admin/programs");
  const main = page.getByRole("main");
  await followLink(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Files" }),
  );
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Files");
  await main.getByLabel("New directory").fill(own);
  await main.getByRole("button", { name: "Create directory" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(own);
  await expect(main.getByText("This directory is empty.")).toBeVisible();

  const file = (name: string, words: string) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(words),
  });
  await main
    .getByLabel("Files", { exact: true })
    .setInputFiles([file("beans.txt", "runner beans"), file("peas.txt", "peas")]);
  await main.getByRole("button", { name: "Upload files" }).click();
  await expect(main.getByRole("link", { name: "beans.txt" })).toBeVisible();
  await accessible();
  await main.getByLabel("Files", { exact: true }).setInputFiles([file("beans.txt", "other beans")]);
  await main.getByRole("button", { name: "Upload files" }).click();
  await expect(main.getByText(`/${own}/beans.txt already exists.`).first()).toBeVisible();

  await followLink(main.getByRole("link", { name: "beans.txt" }));
  const address = await main.getByRole("link", { name: "Open at the public address" }).getAttribute("href");
  expect(await (await page.request.get(address!)).text()).toBe("runner beans");
  await expect(main.getByLabel("Name", { exact: true })).toHaveValue("beans.txt");
  await main.getByLabel("Name", { exact: true }).fill("runners.txt");
  await main.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("runners.txt");
  await main.getByLabel("Destination").fill(`/${own}/deep/runners.txt`);
  await main.getByRole("button", { name: "Move", exact: true }).click();
  await expect(main.getByRole("link", { name: "deep" })).toBeVisible();

  await main.getByLabel("Setting").selectOption("Denied");
  await main.getByLabel("Who", { exact: true }).fill("*");
  await main.getByRole("button", { name: "Save permission" }).click();
  await expect(main.getByText("Denied: Read · All roles")).toBeVisible();
  expect((await page.request.get(address!.replace("beans", "deep/runners"))).status()).toBe(404);
  await accessible();
  await main.getByRole("button", { name: "Revoke: Read, All roles" }).click();
  await expect(main.getByText("Denied: Read")).toHaveCount(0);

  await followLink(main.getByRole("link", { name: own, exact: true }));
  await main.getByText("Delete directory").click();
  await main.getByRole("button", { name: "Delete permanently" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Files");
  await expect(main.getByRole("link", { name: own, exact: true })).toHaveCount(0);
  await accessible();

  await page.context().clearCookies();
  await signInAs("ines");
  for (const path of ["/admin/files", "/admin/files?path=/nothing"])
    expect((await page.goto(path))?.status()).toBe(404);
});
