import { redirect } from "react-router";
import {
  appealRemoval,
  appealResourceRemoval,
  NewRemovalAppeal,
  NewResourceAppeal,
  getRemoval,
  getResourceRemoval,
} from "#community/moderation";
import { notFound } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { parseForm } from "../../form-parsing.ts";
import { pageMeta } from "../../ui/index.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { RemovalAppeal, getRemovalAppeal } from "./removal-appeal.tsx";
import type { Route } from "./+types/appeal-page";

export const middleware = [requireMember];

/**
 * Whether the URL names a resource; otherwise it names a post or comment.
 * @throws `not-found` for other kinds
 */
const parseIsResource = (kind: string): boolean => {
  if (kind !== "posts" && kind !== "resources") throw notFound();
  return kind === "resources";
};

export const loader = defineLoader(async ({ ctx, db, viewer, params }) => {
  const look = parseIsResource(params["kind"]!) ? getResourceRemoval : getRemoval;
  return getRemovalAppeal(viewer, await look(db, viewer, params["id"]!), ctx.now);
});

export const action = defineAction(async ({ app, viewer, form, params, url }) => {
  const resource = parseIsResource(params["kind"]!);
  form.set(resource ? "resourceId" : "postId", params["id"]!);
  await app.database.inTransaction((tx) =>
    resource
      ? appealResourceRemoval(tx, viewer, parseForm(NewResourceAppeal, form))
      : appealRemoval(tx, viewer, parseForm(NewRemovalAppeal, form)),
  );
  return redirect(url.pathname);
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Appeal"),
  hidden: true,
}));

export default function Appeal({ loaderData }: Route.ComponentProps) {
  return <RemovalAppeal {...loaderData} />;
}
