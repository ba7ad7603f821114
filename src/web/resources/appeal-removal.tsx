import { redirect } from "react-router";
import { appealResourceRemoval, NewResourceAppeal, resourceRemovalFor } from "#community/moderation";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import { AskBack, askingBack } from "../moderation/ask-back.tsx";
import { pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import type { Route } from "./+types/appeal-removal";

export const middleware = [membersOnly];

export const loader = reading(async ({ visit, db, viewer, params }) =>
  askingBack(viewer, await resourceRemovalFor(db, viewer, params["resourceId"]!), visit.now),
);

export const action = acting(async ({ house, viewer, form, params }) => {
  form.set("resourceId", params["resourceId"]!);
  await house.database.inTransaction((tx) => appealResourceRemoval(tx, viewer, parseForm(NewResourceAppeal, form)));
  return redirect(urls.appealResource(params["resourceId"]!));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Ask that it comes back"), hidden: true }));

export default function AppealRemoval({ loaderData }: Route.ComponentProps) {
  return <AskBack {...loaderData} />;
}
