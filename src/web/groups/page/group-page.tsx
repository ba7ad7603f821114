import { redirect } from "react-router";
import { isSignedIn } from "#community/rules";
import { redirectFromEmptyPage } from "../../list-pagination.ts";
import { feedLinkTag } from "../../head-tags.ts";
import type { ShellHandle } from "../../layouts/default.tsx";
import { pageMeta, RefusalNotice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineLoader, addCacheTags } from "../../request-context.ts";
import type { Route } from "./+types/group-page";
import { type GroupData, loadGroupPage } from "./group-data.ts";
import { GroupDiscussions } from "./group-discussions.tsx";
import { GroupHeader } from "./group-header.tsx";
import { runMembershipCommand } from "./group-commands.ts";
import { GroupTabs } from "./group-tabs.tsx";
import { StartHereList } from "./start-here-list.tsx";
import { useLiveMembership } from "../join/use-live-membership.ts";
import { MembershipStatus } from "../join/membership-status.tsx";
import { GroupResources } from "./group-resources.tsx";
import { GroupMembers } from "./group-members.tsx";
import { GroupAside } from "./group-aside.tsx";
import { GroupAbout } from "./group-about.tsx";

export const loader = defineLoader(async ({ ctx, viewer, app, db, url, params }) => {
  const page = await loadGroupPage(db, viewer, params["groupId"]!.toLowerCase(), url, ctx.now);
  const { id, slug } = page.group;
  if (params["groupId"] !== slug)
    throw redirect(urls.group(slug) + url.search, isSignedIn(viewer) ? 302 : 301);
  if (page.content.tab !== "about") redirectFromEmptyPage(url, page.content.rows);
  if (page.group.visibility === "public") ctx.head = feedLinkTag(app.origin(), urls.group(slug));
  addCacheTags(ctx, `group:${id}`, `group-list:${id}`, "resources");
  return page;
});

export const handle: ShellHandle<GroupData> = {
  // The tab About has the same in full.
  aside: (data) => data.content.tab !== "about" && <GroupAside data={data} />,
};

export const action = runMembershipCommand;

export const meta = pageMeta<GroupData>(({ group, content, query }, t) => {
  const names = { discussions: "", resources: t("Resources"), members: t("Members"), about: t("About") };
  const first = content.tab === "discussions" || group.visibility === "private";
  return {
    title:
      names[content.tab] && !(first && content.tab === "about")
        ? `${names[content.tab]} · ${group.name}`
        : group.name,
    description: group.purpose || undefined,
    canonical: urls.group(group.slug),
    hidden: group.visibility === "secret" || !first || query.after !== undefined,
  };
});

export default function GroupPage({ loaderData: data }: Route.ComponentProps) {
  const { content } = data;
  useLiveMembership();
  return (
    <>
      <GroupHeader data={data} />
      <RefusalNotice />
      {!isPlainMember(data) && <MembershipStatus data={data} />}
      <GroupTabs data={data} current={content.tab} />
      <StartHereList items={data.start} />
      <div className="mt-4">
        {content.tab === "discussions" && <GroupDiscussions data={data} content={content} />}
        {content.tab === "resources" && <GroupResources data={data} content={content} />}
        {content.tab === "members" && <GroupMembers data={data} content={content} />}
        {content.tab === "about" && <GroupAbout data={data} content={content} />}
      </div>
    </>
  );
}

/**
 * Whether the group is active and the viewer is a member who can read all of it, so that no notice is
 * needed.
 */
const isPlainMember = ({ group, can }: GroupData) =>
  group.state === "active" && group.viewerState === "member" && !group.opening && can.readsFrom === null;
