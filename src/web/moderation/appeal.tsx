import { redirect } from "react-router";
import {
  appealRemoval,
  appealResourceRemoval,
  NewRemovalAppeal,
  NewResourceAppeal,
  removalFor,
  resourceRemovalFor,
} from "#community/moderation";
import { notFound } from "#platform/refusal";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import { pageMeta } from "../ui/index.ts";
import { acting, reading } from "../visit.ts";
import { AskBack, askingBack } from "./ask-back.tsx";
import type { Route } from "./+types/appeal";

export const middleware = [membersOnly];

/** Distinguishes one's own resource from one's own post or comment. */
const isResource = (kind: string): boolean => {
  if (kind !== "posts" && kind !== "resources") throw notFound();
  return kind === "resources";
};

export const loader = reading(async ({ visit, db, viewer, params }) => {
  const look = isResource(params["kind"]!) ? resourceRemovalFor : removalFor;
  return askingBack(viewer, await look(db, viewer, params["id"]!), visit.now);
});

export const action = acting(async ({ house, viewer, form, params, url }) => {
  const resource = isResource(params["kind"]!);
  form.set(resource ? "resourceId" : "postId", params["id"]!);
  await house.database.inTransaction((tx) =>
    resource
      ? appealResourceRemoval(tx, viewer, parseForm(NewResourceAppeal, form))
      : appealRemoval(tx, viewer, parseForm(NewRemovalAppeal, form)),
  );
  return redirect(url.pathname);
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Ask that it comes back"), hidden: true }));

export default function Appeal({ loaderData }: Route.ComponentProps) {
  return <AskBack {...loaderData} />;
}
