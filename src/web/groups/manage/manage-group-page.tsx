import { data, redirect } from "react-router";
import { getGroup } from "#community/groups";
import { requireMember } from "../../auth-middleware.ts";
import { ButtonLink, PageHeader, pageMeta, RefusalNotice, Tabs } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { MissingOwner } from "../page/missing-owner.tsx";
import { useLiveMembership } from "../join/use-live-membership.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/manage-group-page";
import { AboutForm } from "./about-form.tsx";
import { AccessForm } from "./access-form.tsx";
import { GroupLifecycle } from "./archive-transfer-delete.tsx";
import { ManageInvitations } from "./manage-invitations.tsx";
import { GroupLog } from "./group-log.tsx";
import { GroupCover, GroupPhoto } from "./cover-and-photo.tsx";
import { type ManageData, loadManagePage, type ManageSection } from "./manage-group-data.ts";
import { runManageCommand, createInvitationLink } from "./manage-group-commands.ts";
import { ManageMembers } from "./manage-members.tsx";
import { GroupPendingPosts } from "./group-pending-posts.tsx";
import { GroupReports } from "./group-reports.tsx";
import { useLiveQueueCounts } from "../../moderation/queue/use-live-queue-counts.ts";
import { createWebhookByForm } from "../../webhooks/webhook-commands.ts";
import { WebhookList } from "../../webhooks/webhook-list.tsx";
import { ManageJoinRequests } from "./manage-join-requests.tsx";
import { EditStartHere } from "./edit-start-here.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, viewer, db, url, params }) => {
  // Older links name the section "access" `door`.
  if (params["part"] === "door") throw redirect(urls.manageGroup(params["groupId"]!, "access"));
  const page = await loadManagePage(
    db,
    viewer,
    params["groupId"]!.toLowerCase(),
    params["part"],
    url,
    ctx.now,
  );
  if (params["groupId"] !== page.group.slug)
    throw redirect(urls.manageGroup(page.group.slug, params["part"]) + url.search);
  return page;
});

export const action = defineAction(async ({ app, db, viewer, form, params, url }) => {
  const group = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  // Only this response contains the link, since only the hash of its token is stored.
  if (form.get("intent") === "create-link")
    return data({ made: await createInvitationLink(app, viewer, group.id, form) });
  if (form.get("intent") === "create-webhook") return createWebhookByForm({ app, viewer, form, group });
  return redirect(await runManageCommand({ app, viewer, form, group, part: params["part"], url }));
});

export const meta = pageMeta<ManageData>(({ group }, t) => ({
  title: t("Manage {group}", { group: group.name }),
  hidden: true,
}));

/** Forms that show their own errors. */
const FORMS_WITH_OWN_ERRORS = [
  "change",
  "save",
  "invite-person",
  "invite-several",
  "invite-address",
  "create-link",
  "add-start-item",
  "create-webhook",
];

export default function ManageGroupPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { group, content, parts, successor, canAnnounce } = loaderData;
  useLiveMembership();
  // Members who are not moderators see only the section with invitations.
  const alone = parts.length === 1 && content.part === "invitations";
  return (
    <>
      <PageHeader
        title={
          alone ? t("Invite to {group}", { group: group.name }) : t("Manage {group}", { group: group.name })
        }
        actions={
          <>
            {canAnnounce && (
              <ButtonLink to={urls.newAnnouncement({ group: group.slug })}>
                {t("Send announcement")}
              </ButtonLink>
            )}
            <ButtonLink to={urls.group(group.slug)}>{t("Back to group")}</ButtonLink>
          </>
        }
      />
      <RefusalNotice except={FORMS_WITH_OWN_ERRORS} />
      <div className="mb-4 empty:hidden">
        <MissingOwner groupId={group.id} successor={successor} />
      </div>
      {!alone && <SectionTabs data={loaderData} />}
      <div className="mt-5" key={content.part}>
        {content.part === "about" && <AboutForm group={group} />}
        {content.part === "access" && <AccessForm group={group} />}
        {content.part === "cover" && <GroupCover group={group} />}
        {content.part === "photo" && <GroupPhoto group={group} />}
        {content.part === "requests" && <ManageJoinRequests group={group} content={content} />}
        {content.part === "posts" && <GroupPendingPosts group={group} content={content} />}
        {content.part === "reports" && <GroupReports group={group} content={content} />}
        {content.part === "members" && <ManageMembers data={loaderData} content={content} />}
        {content.part === "invitations" && <ManageInvitations group={group} content={content} />}
        {content.part === "start" && <EditStartHere items={content.items} />}
        {content.part === "webhooks" && <WebhookList webhooks={content.webhooks} group={group} />}
        {content.part === "log" && <GroupLog group={group} content={content} />}
        {content.part === "end" && <GroupLifecycle group={group} content={content} />}
      </div>
    </>
  );
}

function SectionTabs({ data: { group, parts, part, counts } }: { data: ManageData }) {
  const t = useTranslate();
  const { open, pending } = useLiveQueueCounts(counts, group.id);
  const labels: Record<ManageSection, string> = {
    about: t("About"),
    access: t("Who can join"),
    cover: t("Cover"),
    photo: t("Photo"),
    requests: t("Requests"),
    posts: t("Pending posts"),
    reports: t("Reports"),
    members: t("Members"),
    invitations: t("Invitations"),
    start: t("Start here"),
    webhooks: t("Webhooks"),
    log: t("Log"),
    end: t("Archive & transfer"),
  };
  const waiting: Partial<Record<ManageSection, number>> = {
    requests: group.requestsCount,
    posts: pending,
    reports: open,
    members: group.appealsCount,
  };
  const tabs = parts.map((name) => ({
    to: urls.manageGroup(group.slug, name),
    label: labels[name],
    current: name === part,
    count: waiting[name],
  }));
  return <Tabs label={t("Sections")} tabs={tabs} wraps="always" />;
}
