import { isSignedIn } from "#community/rules";
import { feedLinkTag } from "../head-tags.ts";
import type { ShellHandle } from "../layouts/default.tsx";
import { pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineLoader, addCacheTags } from "../request-context.ts";
import type { Route } from "./+types/home-page";
import { loadMemberHome, loadGuestHome } from "./home-data.ts";
import { MemberHome } from "./member-home.tsx";
import { GuestHome } from "./guest-home.tsx";
import { HomeAside } from "./home-aside.tsx";

export const handle: ShellHandle<Route.ComponentProps["loaderData"]> = {
  asides: "below",
  aside: (data) => <HomeAside data={data} />,
};

export const loader = defineLoader(async ({ ctx, viewer, app, url }) => {
  if (isSignedIn(viewer)) return loadMemberHome(ctx, viewer, await app.settings.get(), url);
  addCacheTags(ctx, "settings", "discussions", "groups", "events");
  ctx.head = feedLinkTag(app.origin(), "");
  return loadGuestHome(ctx, viewer, await app.settings.get());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((data, _t, { community }) => ({
  title: community.name,
  description: community.sentence,
  ...(data.kind === "guest" ? { canonical: urls.home() } : { hidden: true }),
}));

export default function Home({ loaderData }: Route.ComponentProps) {
  return loaderData.kind === "guest" ? <GuestHome data={loaderData} /> : <MemberHome data={loaderData} />;
}
