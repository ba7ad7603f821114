import { redirect } from "react-router";
import { sendTestEmail } from "#community/accounts";
import { dismissSetupChecklist } from "#community/setup";
import { chooseAction } from "../form-parsing.ts";
import { urls } from "../urls.ts";
import { defineAction, type RequestContext, requireSignedIn } from "../request-context.ts";

type CommandInput = { ctx: RequestContext };

const commands: Record<string, (input: CommandInput) => Promise<void>> = {
  "test-email": ({ ctx }) => sendTestEmail(ctx.app, requireSignedIn(ctx.viewer)),
  dismiss: ({ ctx }) =>
    ctx.app.database.inTransaction((tx) => dismissSetupChecklist(tx, ctx.app.settings, ctx.viewer)),
};

/** Actions of the set-up checklist on the home page. */
export const action = defineAction(async ({ ctx, form }) => {
  await chooseAction(commands, form)({ ctx });
  return redirect(urls.home());
});
