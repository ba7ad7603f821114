import { data } from "react-router";
import type { ErrorFacts } from "../answers.ts";
import { reading } from "../visit.ts";

/** Every path that leads nowhere. */
export const loader = reading(async ({ url, visit }) => {
  throw data<ErrorFacts>(
    {
      status: 404,
      message: `Page Not Found: ${url.pathname}`,
      description: "There is nothing at this address. It may have moved, or never been.",
      incident: visit.incident,
    },
    { status: 404 },
  ) as never;
});

export default function NotFound() {
  return null;
}
