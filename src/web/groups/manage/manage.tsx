import { data, redirect } from "react-router";
import { groupFor } from "#community/groups";
import { membersOnly } from "../../auth.ts";
import { ButtonLink, PageHead, pageMeta, RefusalNotice, Tabs } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { NoOwner } from "../no-owner.tsx";
import { useLiveMembership } from "../use-live-membership.ts";
import { acting, reading } from "../../visit.ts";
import { useWords } from "../../words/index.ts";
import type { Route } from "./+types/manage";
import { AboutForm } from "./about-form.tsx";
import { DoorForm } from "./door-form.tsx";
import { Ending } from "./ending.tsx";
import { Invitations } from "./invitations.tsx";
import { GroupLog } from "./log.tsx";
import { Cover, Photo } from "./look.tsx";
import { type ManageData, managePage, type Part } from "./manage-data.ts";
import { doInManaging, makeLink } from "./manage-verbs.ts";
import { ManageMembers } from "./members.tsx";
import { FirstPosts } from "./first-posts.tsx";
import { GroupReports } from "./reports.tsx";
import { GroupRequests } from "./requests.tsx";
import { StartHere } from "./start-here.tsx";

export const middleware = [membersOnly];

export const loader = reading(async ({ visit, viewer, db, url, params }) => {
  const page = await managePage(db, viewer, params["groupId"]!.toLowerCase(), params["part"], url, visit.now);
  if (params["groupId"] !== page.group.slug) throw redirect(urls.manageGroup(page.group.slug, params["part"]) + url.search);
  return page;
});

export const action = acting(async ({ house, db, viewer, form, params, url }) => {
  const group = await groupFor(db, viewer, params["groupId"]!.toLowerCase());
  // Only this response contains the link: of its token, only the hash is stored.
  if (form.get("intent") === "make-link") return data({ made: await makeLink(house, viewer, group.id, form) });
  return redirect(await doInManaging({ house, viewer, form, group, part: params["part"], url }));
});

export const meta = pageMeta<ManageData>(({ group }, t) => ({ title: t("Manage {group}", { group: group.name }), hidden: true }));

/** Forms that show their own errors. */
const OWN_FAULTS = ["change", "save", "invite-person", "invite-several", "invite-address", "make-link", "start-put"];

export default function ManageGroup({ loaderData }: Route.ComponentProps) {
  const t = useWords();
  const { group, content, parts, heir, mayAnnounce } = loaderData;
  useLiveMembership();
  // Members who are not moderators come here to invite, and see nothing else.
  const alone = parts.length === 1 && content.part === "invitations";
  return (
    <>
      <PageHead
        title={alone ? t("Invite to {group}", { group: group.name }) : t("Manage {group}", { group: group.name })}
        actions={
          <>
            {mayAnnounce && <ButtonLink to={urls.newAnnouncement({ group: group.slug })}>{t("Tell all members something")}</ButtonLink>}
            <ButtonLink to={urls.group(group.slug)}>{t("Back to the group")}</ButtonLink>
          </>
        }
      />
      <RefusalNotice except={OWN_FAULTS} />
      <div className="mb-4 empty:hidden">
        <NoOwner groupId={group.id} heir={heir} />
      </div>
      {!alone && <PartTabs data={loaderData} />}
      <div className="mt-5" key={content.part}>
        {content.part === "about" && <AboutForm group={group} />}
        {content.part === "door" && <DoorForm group={group} />}
        {content.part === "cover" && <Cover group={group} />}
        {content.part === "photo" && <Photo group={group} />}
        {content.part === "requests" && <GroupRequests group={group} content={content} />}
        {content.part === "posts" && <FirstPosts group={group} content={content} />}
        {content.part === "reports" && <GroupReports group={group} content={content} />}
        {content.part === "members" && <ManageMembers data={loaderData} content={content} />}
        {content.part === "invitations" && <Invitations group={group} content={content} />}
        {content.part === "start" && <StartHere lines={content.lines} />}
        {content.part === "log" && <GroupLog group={group} content={content} />}
        {content.part === "end" && <Ending group={group} content={content} />}
      </div>
    </>
  );
}

function PartTabs({ data: { group, parts, part, reportsCount, postsCount } }: { data: ManageData }) {
  const t = useWords();
  const labels: Record<Part, string> = {
    about: t("What it says"),
    door: t("Who gets in"),
    cover: t("Cover"),
    photo: t("Photo"),
    requests: t("Requests"),
    posts: t("First posts"),
    reports: t("Reports"),
    members: t("Members"),
    invitations: t("Invitations"),
    start: t("Start here"),
    log: t("Log"),
    end: t("Archive and hand over"),
  };
  const waiting: Partial<Record<Part, number>> = {
    requests: group.requestsCount,
    posts: postsCount,
    reports: reportsCount,
    members: group.appealsCount,
  };
  const tabs = parts.map((name) => ({
    to: urls.manageGroup(group.slug, name),
    label: labels[name],
    current: name === part,
    count: waiting[name],
  }));
  return <Tabs label={t("What to manage")} tabs={tabs} wraps />;
}
