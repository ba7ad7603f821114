import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { openSettings } from "../support/browser/registration-steps.ts";
import { main } from "../support/browser/steps.ts";

test(
  "an IP address supports no passkeys, and the settings explain why",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs }) => {
    await page.goto("/login");
    await expect(main(page).getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
    await expect(main(page).getByText("Sign in with a passkey")).toHaveCount(0);
    await page.goto("/login/passkey");
    await expect(main(page)).toContainText("Passkeys do not work at this address");
    await signInAs("ines");
    await openSettings(page, "Security");
    await expect(main(page).getByRole("region", { name: "Passkeys" })).toContainText(
      "Passkeys do not work at this address",
    );
  },
);
