import type { Page } from "@playwright/test";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { followLink, submitAndWait } from "../support/browser/steps.ts";

/** Sends a form as the page would, without the page. */
async function post(page: Page, path: string, form: Record<string, string>) {
  const { origin } = new URL(page.url());
  const answer = await page.request.post(path, { form, headers: { origin } });
  expect(answer.status()).toBe(200);
}

async function makeTable(page: Page, name: string, columns: Record<string, string>) {
  await page.goto("/admin/data");
  await post(page, "/admin/data", { intent: "make", name });
  for (const [column, dataType] of Object.entries(columns))
    await post(page, `/admin/data/${name}`, { intent: "column", name: column, dataType });
}

test("an admin adds a record, edits it in fields for each column type, and adds a relation", async ({
  page,
  signInAs,
  accessible,
  javaScriptEnabled,
}) => {
  const own = javaScriptEnabled ? "Scripted" : "Plainly";
  await signInAs("ada");
  const main = page.getByRole("main");
  const types = {
    title: "STRING",
    length: "INT",
    sunny: "BOOLEAN",
    sown: "DATETIME",
    notes: "JSON",
    place: "POINT",
  };
  await makeTable(page, `${own}Beds`, types);
  await post(page, `/admin/data/${own}Beds`, {
    intent: "relation",
    name: "beside",
    toTable: `${own}Beds`,
    kind: "ONE_TO_MANY",
  });
  await page.goto("/admin/data");
  await expect(main.getByText(/About .* records/)).toBeVisible();
  await followLink(main.getByRole("link", { name: `${own}Beds` }));
  await followLink(main.getByRole("link", { name: "Add record" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New record");
  await main.getByLabel("title").fill("Beans");
  await main.getByLabel("length").fill("seven");
  await main.getByLabel("notes").fill("{");
  await accessible();
  await main.getByRole("button", { name: "Add record" }).click();
  await expect(main.getByText("That is not a number.").first()).toBeVisible();
  await expect(main.getByLabel("title")).toHaveValue("Beans");
  await main.getByLabel("length").fill("7");
  await main.getByLabel("sunny").selectOption("true");
  await main.getByLabel("sown").fill("2026-05-04T09:00:00.000");
  await main.getByLabel("notes").fill('{"soil": "clay"}');
  await main.getByLabel("place").fill("POINT(10 50)");
  await main.getByRole("button", { name: "Add record" }).click();
  await expect(main.getByText("Saved.")).toBeVisible();
  await expect(main.getByLabel("notes")).toHaveValue('{\n  "soil": "clay"\n}');
  await expect(main.getByLabel("place")).toHaveValue(/"Point"/);
  await main.getByLabel("sunny").selectOption("");
  await main.getByLabel("length").fill("8");
  await main.getByRole("button", { name: "Save", exact: true }).click();
  await expect(main.getByText("Saved.")).toBeVisible();
  await expect(main.getByLabel("sunny")).toHaveValue("");
  const id = (await page.getByRole("heading", { level: 1 }).textContent())!;
  await main.getByLabel("objectId of the record to add").fill("nobody");
  await main.getByRole("button", { name: "Add", exact: true }).click();
  await expect(main.getByText(/the record does not exist/i).first()).toBeVisible();
  await main.getByLabel("objectId of the record to add").fill(id);
  await main.getByRole("button", { name: "Add", exact: true }).click();
  await expect(main.getByRole("link", { name: "Beans" })).toBeVisible();
  await accessible();
});

test(
  "an admin finds a record by a where clause, views and deletes it; others get 404",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    const table = "ScriptedFinds";
    await signInAs("ada");
    const main = page.getByRole("main");
    await makeTable(page, table, { length: "INT", notes: "JSON" });
    for (const length of ["7", "8"])
      await post(page, `/admin/data/${table}/record`, {
        k0: "length",
        c0: length,
        k1: "notes",
        c1: '{"soil": "clay"}',
      });
    await page.goto(`/admin/data/${table}`);
    await main.getByLabel("Find records by a condition").fill("length =");
    await main.getByRole("button", { name: "Find", exact: true }).click();
    await expect(main.getByRole("alert")).toContainText("clause");
    await accessible();
    await main.getByLabel("Find records by a condition").fill("length > 7 and notes->'$.soil' = 'clay'");
    await main.getByRole("button", { name: "Find", exact: true }).click();
    await expect(main.getByRole("row")).toHaveCount(2);
    await followLink(main.getByRole("row").getByRole("link"));
    await expect(main.getByRole("textbox", { name: "length", exact: true })).toHaveValue("8");
    const id = (await page.getByRole("heading", { level: 1 }).textContent())!;
    await main.getByText("Delete record").click();
    await main.getByRole("button", { name: "Delete permanently" }).click();
    await expect(main.getByRole("row")).toHaveCount(2);

    await page.context().clearCookies();
    await signInAs("ines");
    for (const path of ["record", `record?id=${id}`])
      expect((await page.goto(`/admin/data/${table}/${path}`))?.status()).toBe(404);
  },
);

test(
  "a concurrent change of the same cell is reported, and the typed text is kept",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, context, signInAs }) => {
    const table = "ScriptedTogether";
    await signInAs("ada");
    const main = page.getByRole("main");
    await makeTable(page, table, { title: "STRING", note: "STRING" });
    await page.goto(`/admin/data/${table}`);
    await followLink(main.getByRole("link", { name: "Add record" }));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("New record");
    await main.getByLabel("title").fill("Beans");
    await main.getByRole("button", { name: "Add record" }).click();
    await expect(main.getByText("Saved.")).toBeVisible();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByLabel("title").fill("Peas");
    await submitAndWait(other, other.getByRole("button", { name: "Save", exact: true }));
    await expect(other.getByLabel("title")).toHaveValue("Peas");
    // Changes of different cells are saved without a conflict.
    await main.getByLabel("note").fill("by the wall");
    await main.getByRole("button", { name: "Save", exact: true }).click();
    await expect(main.getByLabel("note")).toHaveValue("by the wall");
    await expect(main.getByLabel("title")).toHaveValue("Peas");
    await other.getByLabel("title").fill("Lentils");
    await submitAndWait(other, other.getByRole("button", { name: "Save", exact: true }));
    await expect(other.getByLabel("title")).toHaveValue("Lentils");
    await main.getByLabel("title").fill("Beans again");
    await main.getByRole("button", { name: "Save", exact: true }).click();
    await expect(main.getByText("Current value: Lentils")).toBeVisible();
    await expect(main.getByLabel("title")).toHaveValue("Beans again");
    await main.getByRole("button", { name: "Save", exact: true }).click();
    await expect(main.getByText("Saved.")).toBeVisible();
    await expect(main.getByLabel("title")).toHaveValue("Beans again");
  },
);
