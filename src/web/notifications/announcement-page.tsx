import { redirect } from "react-router";
import {
  type Announcement,
  getAnnouncement,
  markAnnouncementSeen,
  withdrawAnnouncement,
} from "#community/notifications";
import { requireMember } from "../auth-middleware.ts";
import { ConfirmActionForm } from "../people/action-form.tsx";
import { PageHeader, pageMeta, PersonLink, Prose, RefusalNotice, Time } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/announcement-page";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ app, db, viewer, params }) => {
  const announcement = await getAnnouncement(db, viewer, params["announcementId"]!);
  await app.database.inTransaction((tx) => markAnnouncementSeen(tx, viewer, announcement));
  return announcement;
});

export const action = defineAction(async ({ app, viewer, params }) => {
  await app.database.inTransaction((tx) =>
    withdrawAnnouncement(tx, viewer, { id: params["announcementId"]! }),
  );
  return redirect(urls.notifications());
});

export const meta = pageMeta<Announcement>(({ title }) => ({ title, hidden: true }));

export default function AnnouncementPage({ loaderData: announcement }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <article>
      <PageHeader
        title={<bdi>{announcement.title}</bdi>}
        lead={
          <>
            {announcement.group ? (
              <>
                {t("To members of")}{" "}
                <Link to={urls.group(announcement.group.slug)} dir="auto">
                  {announcement.group.name}
                </Link>
              </>
            ) : (
              t("To everyone")
            )}
            {" · "}
            <Time at={announcement.at} />
          </>
        }
      />
      <RefusalNotice />
      <Prose html={announcement.html} />
      {announcement.by && (
        <p className="mt-5">
          <PersonLink person={announcement.by} />
        </p>
      )}
      {announcement.mine && (
        <div className="mt-6">
          <ConfirmActionForm
            intent="withdraw"
            fields={{}}
            ask={t("Withdraw…")}
            consequence={t(
              "The announcement is withdrawn for everyone, including people who have not read it yet.",
            )}
            busy={t("One moment…")}
          >
            {t("Withdraw")}
          </ConfirmActionForm>
        </div>
      )}
    </article>
  );
}
