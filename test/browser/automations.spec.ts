import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test("an admin builds an automation step by step", async ({
  page,
  signInAs,
  accessible,
  complaints,
  javaScriptEnabled,
}) => {
  // Both browser projects use the same server, so each needs its own name.
  const name = javaScriptEnabled ? "Greetings scripted" : "Greetings plain";
  const main = page.getByRole("main");
  const add = async (list: string, kind: string) => {
    const form = main.getByRole("form", { name: `(${list})` });
    await form.getByRole("combobox").selectOption({ label: kind });
    await form.getByRole("button").click();
    await expect(main.getByRole("link", { name: "Cancel" })).toBeVisible();
  };
  const save = async () => {
    await main.getByRole("button", { name: "Save", exact: true }).click();
    await expect(main.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
  };
  await signInAs("ada");
  await page.goto("/admin/programs");
  await followLink(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Automations" }),
  );
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Automations");
  await accessible();
  await main.getByLabel("Name", { exact: true }).fill(name);
  await main.getByRole("button", { name: "Create automation" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(main.getByText("No triggers yet.")).toBeVisible();

  await add("triggers", "API call");
  await main.getByLabel("Name", { exact: true }).fill("by hand");
  await accessible();
  await save();
  await add("triggers", "Record changed");
  await main.getByLabel("Name", { exact: true }).fill("came");
  await expect(main.getByText("Enter a data table or a community table: Users, Groups,")).toBeVisible();
  await main.getByLabel("Table", { exact: true }).fill("Messages");
  await main.getByRole("button", { name: "Save", exact: true }).click();
  await expect(main.locator(".fault")).toContainText("cannot start an automation");
  await main.getByLabel("Table", { exact: true }).fill("Users");
  await accessible();
  await save();
  await add("steps", "Condition");
  // A syntax error is shown beside its field, and the typed text stays.
  await main.getByRole("textbox", { name: "Condition", exact: true }).fill("trigger.data.name = =");
  await main.getByLabel("Name", { exact: true }).fill("Is it Ines?");
  await main.getByRole("button", { name: "Save", exact: true }).click();
  await expect(main.locator(".fault")).toContainText(/character/i);
  await expect(main.getByLabel("Name", { exact: true })).toHaveValue("Is it Ines?");
  await main.getByRole("textbox", { name: "Condition", exact: true }).fill("trigger.data.name = 'Ines'");
  await save();
  await add("steps.0.do", "Set value");
  await main.getByLabel("Save result as").fill("said");
  await main.getByLabel("Value", { exact: true }).fill("Hello {{trigger.data.name}}");
  await save();
  await add("steps", "Wait");
  await main.getByLabel("Maximum wait in seconds").fill("0");
  await save();
  await main.getByRole("button", { name: "Move Wait (steps.1) up" }).click();
  await expect(main.locator("[id='steps.0']")).toContainText("0 s");
  await followLink(main.getByRole("link", { name: "Edit Wait (steps.0)" }));
  await expect(main.getByRole("link", { name: "Cancel" })).toBeVisible();
  await main.getByLabel("Name", { exact: true }).fill("Schedule");
  await save();
  await expect(main.locator("[id='steps.0']")).toContainText("Schedule");
  await accessible();
  // A rejected form returns 422, which browsers log.
  expect(complaints.filter((it) => !it.includes("422"))).toEqual([]);
});

test(
  "an admin pastes an automation, starts it, and reads its log",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, complaints }) => {
    const name = "Pasted scripted";
    const main = page.getByRole("main");
    const greet = { kind: "set", as: "said", value: "Hello {{trigger.data.name}}" };
    const decide = { kind: "condition", name: "Is it Ines?", if: "trigger.data.name = 'Ines'", do: [greet] };
    const definition = {
      triggers: [{ kind: "call", name: "by hand" }],
      steps: [{ kind: "wait", seconds: 0 }, decide],
    };
    await signInAs("ada");
    await page.goto("/admin/automations");
    await main.getByLabel("Name").fill(name);
    await main.getByLabel("Definition (optional)").fill(JSON.stringify(definition));
    await main.getByRole("button", { name: "Create automation" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);

    await main.getByRole("button", { name: "Switch on" }).click();
    await main.getByLabel("Input (optional)").fill('{ "name": "Ines" }');
    await main.getByRole("button", { name: "Start", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Run of ${name}`);
    await expect(async () => {
      await expect(main.getByRole("status").filter({ hasText: /done/ })).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(main.getByRole("listitem")).toHaveCount(3);
    await expect(main.getByRole("listitem").nth(1)).toContainText("Is it Ines?");
    await expect(main.locator("pre")).toContainText("Hello Ines");
    await accessible();
    await followLink(main.getByRole("link", { name: "All runs" }));
    await expect(main.getByRole("listitem")).toHaveCount(1);
    await expect(main.getByRole("listitem")).toContainText("3 steps");
    await accessible();
    await followLink(main.getByRole("link", { name: "Automation", exact: true }));

    // A whole definition is pasted: errors name their path, and the pasted text stays.
    await main.getByLabel("Definition").fill('{ "steps": [{ "kind": "call", "service": "A" }] }');
    await main.getByRole("button", { name: "Save definition" }).click();
    await expect(main.locator(".fault")).toContainText("steps.0.method:");
    await expect(main.getByLabel("Definition")).toHaveValue(/"service": "A"/);
    await main
      .getByLabel("Definition")
      .fill('{ "triggers": [{ "kind": "call", "name": "by hand" }], "steps": [] }');
    await main.getByRole("button", { name: "Save definition" }).click();
    await expect(main.getByText("No actions yet.")).toBeVisible();

    await main.getByLabel("Type the name to confirm").fill("Something else");
    await main.getByRole("button", { name: "Delete automation" }).click();
    await expect(main.getByText("The name does not match.").first()).toBeVisible();
    await main.getByLabel("Type the name to confirm").fill(name);
    await main.getByRole("button", { name: "Delete automation" }).click();
    await expect(main.getByRole("link", { name, exact: true })).toHaveCount(0);
    // A rejected form returns 422, which browsers log.
    expect(complaints.filter((it) => !it.includes("422"))).toEqual([]);
  },
);

test(
  "guests and moderators get 404 for automations",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs }) => {
    expect((await page.goto("/admin/automations"))?.status()).toBe(404);
    await signInAs("ines");
    expect((await page.goto("/admin/automations"))?.status()).toBe(404);
  },
);
