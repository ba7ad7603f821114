import { data, redirect } from "react-router";
import { type MovedTarget, resolveOldPath } from "#community/import-export";
import type { ErrorPageData } from "../error-responses.ts";
import { urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { translateFor } from "../translate-for.ts";

/** Handles unknown paths. Addresses of the platform from which the community was imported are redirected. */
export const loader = defineLoader(async ({ db, url, viewer, ctx }) => {
  const moved = await resolveOldPath(db, viewer, url.pathname + url.search);
  if (moved) throw redirect(movedUrl(moved), 301);
  throw data<ErrorPageData>(
    {
      status: 404,
      message: `${translateFor(ctx, "Page Not Found")}: ${url.pathname}`,
      description: translateFor(
        ctx,
        "There is nothing at this address. It may have moved, or you don't have access.",
      ),
      incident: ctx.incident,
    },
    { status: 404 },
  );
});

function movedUrl(moved: MovedTarget): string {
  switch (moved.kind) {
    case "discussion":
      return urls.discussion(moved.id, moved.post === undefined ? {} : { post: moved.post });
    case "group":
      return urls.group(moved.slug);
    case "person":
      return urls.person(moved.username);
    case "resource":
      return urls.resource(moved.id);
  }
}

export default function NotFound() {
  return null;
}
