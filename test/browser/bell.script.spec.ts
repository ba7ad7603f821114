import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { uniqueName } from "../support/browser/steps.ts";
import { type OtherPerson, openOtherPerson } from "../support/browser/other-person.ts";

/** A seeded pseudo-random sequence, the same in each run. */
function chance(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** Count that the page shows in its navigation and its title. */
async function readBadges(page: Page) {
  const bell = await page
    .locator(".shell-rail")
    .getByRole("link", { name: /^Notifications/ })
    .textContent();
  return {
    bell: Number(/\d+/.exec(bell ?? "")?.[0] ?? 0),
    title: Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0),
  };
}

/** Count in the database, read as the same person in another browser. */
async function counted(elsewhere: OtherPerson): Promise<number> {
  const answer = (await (await elsewhere.request.get("/live/shell")).json()) as {
    badges: { notifications: number };
  };
  return answer.badges.notifications;
}

test("bell and tab title match the database after many changes and a broken connection", async ({
  page,
  browser,
  baseURL,
  signInAs,
}) => {
  await signInAs("ada");
  await page.goto("/about");
  const tomas = await openOtherPerson(browser, "tomas", baseURL!);
  const elsewhere = await openOtherPerson(browser, "ada", baseURL!);
  const next = chance(7);
  const title = uniqueName("What came down in the storm");
  const talk = [
    await tomas.starts("repair-evening", title),
    await tomas.starts("repair-evening", `${title}, again`),
  ];
  let cut = false;
  const happens = [
    () => tomas.replies(talk[next(2)]!, "Is that yours, @ada?"),
    () => tomas.replies(talk[next(2)]!, "And this, @ada?"),
    () => elsewhere.posts("/notifications", { intent: "read-all" }),
    () => elsewhere.request.get("/notifications"),
    () => elsewhere.posts(`/discussions/${talk[next(2)]!}/seen`, { upTo: String(next(12)), ms: "500" }),
    () => page.context().setOffline((cut = !cut)),
  ];
  const agree = () =>
    expect(async () => {
      const [now, counts] = [await readBadges(page), await counted(elsewhere)];
      expect(now).toEqual({ bell: counts, title: counts });
    }).toPass({ timeout: 8_000 });
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 12; n++) await happens[next(happens.length)]!();
    if (cut) await page.context().setOffline((cut = false));
    await tomas.replies(talk[0]!, "One more, @ada.");
    await expect.poll(() => counted(elsewhere)).toBeGreaterThan(0);
    await agree();
  }
  await elsewhere.posts("/notifications", { intent: "read-all" });
  await expect.poll(() => readBadges(page)).toEqual({ bell: 0, title: 0 });
});
