import { isSignedIn } from "#community/rules";
import { pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading, showing } from "../visit.ts";
import type { Route } from "./+types/home";
import { homeOf, welcomeOf } from "./home-data.ts";
import { MemberHome } from "./member-home.tsx";
import { GuestHome } from "./guest-home.tsx";

export const handle = { asides: "both" };

export const loader = reading(async ({ visit, viewer, db, house, url }) => {
  if (isSignedIn(viewer)) return homeOf(db, viewer, await house.settings.get(), url, visit.now);
  showing(visit, "settings", "discussions", "groups");
  return welcomeOf(db, viewer, await house.settings.get(), visit.now);
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((data, _t, { community }) => ({
  title: community.name,
  description: community.sentence,
  ...(data.kind === "guest" ? { canonical: urls.home() } : { hidden: true }),
}));

export default function Home({ loaderData }: Route.ComponentProps) {
  return loaderData.kind === "guest" ? <GuestHome data={loaderData} /> : <MemberHome data={loaderData} />;
}
