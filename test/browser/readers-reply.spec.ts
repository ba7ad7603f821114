import { expect, test } from "../support/browser/fixtures.ts";
import {
  clickLink,
  createGroup,
  main,
  clickButton,
  reply,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("a public group lets readers reply without joining", async ({ page, signInAs, another, accessible }) => {
  const name = uniqueName("Open evenings");
  await signInAs("tomas");
  await createGroup(page, name, "public", "request");
  const group = new URL(page.url()).pathname;
  await clickLink(page, /^Manage/);
  await main(page).getByLabel("Who can reply").selectOption({ label: "Readers with an account" });
  await accessible();
  await clickButton(page, "Save");
  await expect(main(page).getByLabel("Who can reply")).toHaveValue("readers");
  await startDiscussion(page, uniqueName("What shall we sing"), "Say something.", group.split("/").at(-1));

  const ines = await another("ines");
  await ines.goto(page.url());
  await reply(ines, "Something with a second voice.");
  await ines.goto(group);
  await expect(main(ines).getByRole("button", { name: "Request to join" })).toBeVisible();
});
