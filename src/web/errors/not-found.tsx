import { data, redirect } from "react-router";
import { type Moved, movedTo } from "#community/transfer";
import type { ErrorFacts } from "../answers.ts";
import { urls } from "../urls.ts";
import { reading, said } from "../visit.ts";

/** Handles unknown paths, and redirects addresses of the platform from which the community was imported. */
export const loader = reading(async ({ db, url, viewer, visit }) => {
  const moved = await movedTo(db, viewer, url.pathname + url.search);
  if (moved) throw redirect(addressOf(moved), 301);
  throw data<ErrorFacts>(
    {
      status: 404,
      message: `${said(visit, "Page Not Found")}: ${url.pathname}`,
      description: said(visit, "There is nothing at this address. It may have moved, or never been."),
      incident: visit.incident,
    },
    { status: 404 },
  ) as never;
});

function addressOf(moved: Moved): string {
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
