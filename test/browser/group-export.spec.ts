import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  createGroup,
  join,
  main,
  clickButton,
  submitAndWait,
  startDiscussion,
  uniqueName,
  chooseByMode,
} from "../support/browser/steps.ts";

test("an owner requests a group export, is notified by mail, and downloads it", async ({
  page,
  signInAs,
  another,
  accessible,
  mail,
  javaScriptEnabled,
}) => {
  const [owner, member] = chooseByMode(
    javaScriptEnabled,
    ["tomas", "hana"] as const,
    ["mira", "chidi"] as const,
  );
  await signInAs(owner);
  const name = uniqueName("Cold frames");
  await createGroup(page, name, "private");
  const address = new URL(page.url()).pathname;
  const slug = address.split("/").at(-1)!;
  const in_ = await another(member);
  await join(in_, address);
  await startDiscussion(page, uniqueName("Where to put them"), "By the south wall.", slug);

  await page.goto(`${address}/manage/end`);
  const part = main(page).getByRole("region", { name: "Export group" });
  await expect(part.getByText(/^Not included: email addresses/)).toBeVisible();
  await accessible();
  await clickButton(page, "Start export");
  await expect(
    part.getByText(/The export is in progress\. You can leave|Download export/).first(),
  ).toBeVisible();
  await expect(part.getByRole("button")).toHaveCount(0);
  await mail(`${owner}@example.org`, `${address}/manage/end`);
  await page.reload();
  await expect(part.getByText(/^A group can be exported once a day: next/)).toBeVisible();
  await accessible();

  const file = (await part.getByRole("link", { name: "Download export" }).getAttribute("href"))!;
  const fetched = await page.request.get(file);
  expect([fetched.status(), fetched.headers()["content-type"], fetched.headers()["cache-control"]]).toEqual([
    200,
    "application/zip",
    "private, max-age=3600",
  ]);
  expect(fetched.headers()["content-disposition"]).toContain(`${slug}.zip`);
  expect((await fetched.body()).subarray(0, 2).toString()).toBe("PK");
  expect((await in_.request.get(file)).status()).toBe(404);
  await page.goto(`${address}/manage/log`);
  await expect(main(page).getByRole("listitem").filter({ hasText: "exported the group" })).toHaveCount(1);
  const guest = await another();
  expect((await guest.request.get(file)).status()).toBe(404);
});

test(
  "moderators, and admins who are not owners, see neither the export form nor the export",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another }) => {
    const [owner, member] = ["tomas", "hana"] as const;
    await signInAs(owner);
    await createGroup(page, uniqueName("Root cellars"));
    const address = new URL(page.url()).pathname;
    const moderator = await another(member);
    await join(moderator, address);
    await page.goto(`${address}/manage/members`);
    const line = main(page)
      .getByRole("listitem")
      .filter({ hasText: `@${member}` });
    await line.getByLabel(/^Manage /).click();
    await submitAndWait(page, line.getByRole("button", { name: /^New role: moderator/i }));
    await moderator.goto(`${address}/manage/log`);
    await expect(main(moderator).getByRole("listitem").filter({ hasText: "gave the role" })).toHaveCount(1);
    expect((await moderator.request.get(`${address}/manage/end`)).status()).toBe(404);
    const admin = await another("ada");
    await admin.goto(`${address}/manage/end`);
    await expect(main(admin).getByRole("heading", { name: "Archive group" })).toBeVisible();
    await expect(main(admin).getByRole("heading", { name: "Export group" })).toHaveCount(0);
  },
);
