import { redirect } from "react-router";
import { appealRemoval, NewRemovalAppeal, removalFor } from "#community/moderation";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import { pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { AskBack, askingBack } from "./ask-back.tsx";
import type { Route } from "./+types/appeal";

export const middleware = [membersOnly];

export const loader = reading(async ({ visit, db, viewer, params }) =>
  askingBack(viewer, await removalFor(db, viewer, params["postId"]!), visit.now),
);

export const action = acting(async ({ house, viewer, form, params }) => {
  form.set("postId", params["postId"]!);
  await house.database.inTransaction((tx) => appealRemoval(tx, viewer, parseForm(NewRemovalAppeal, form)));
  return redirect(urls.appealRemoval(params["postId"]!));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Ask that it comes back"), hidden: true }));

export default function Appeal({ loaderData }: Route.ComponentProps) {
  return <AskBack {...loaderData} />;
}
