import { redirect } from "react-router";
import { type Announcement, announcementFor, sawAnnouncement, takeAnnouncementBack } from "#community/notifications";
import { membersOnly } from "../auth.ts";
import { ConfirmAct } from "../people/act.tsx";
import { PageHead, pageMeta, PersonLink, Prose, RefusalNotice, Time } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/announcement";

export const middleware = [membersOnly];

export const loader = reading(async ({ house, db, viewer, params }) => {
  const said = await announcementFor(db, viewer, params["announcementId"]!);
  await house.database.inTransaction((tx) => sawAnnouncement(tx, viewer, said));
  return said;
});

export const action = acting(async ({ house, viewer, params }) => {
  await house.database.inTransaction((tx) => takeAnnouncementBack(tx, viewer, { id: params["announcementId"]! }));
  return redirect(urls.notifications());
});

export const meta = pageMeta<Announcement>(({ title }) => ({ title, hidden: true }));

export default function AnnouncementPage({ loaderData: said }: Route.ComponentProps) {
  const t = useWords();
  return (
    <article>
      <PageHead
        title={<bdi>{said.title}</bdi>}
        lead={
          <>
            {said.group ? (
              <>
                {t("To the members of")}{" "}
                <Link to={urls.group(said.group.slug)} dir="auto">
                  {said.group.name}
                </Link>
              </>
            ) : (
              t("To everybody")
            )}
            {" · "}
            <Time at={said.at} />
          </>
        }
      />
      <RefusalNotice />
      <Prose html={said.html} />
      {said.by && (
        <p className="mt-5">
          <PersonLink person={said.by} />
        </p>
      )}
      {said.mine && (
        <div className="mt-6">
          <ConfirmAct
            intent="take-back"
            fields={{}}
            ask={t("Take it back")}
            consequence={t("It is gone for everybody, also for who has not read it yet.")}
            busy={t("One moment…")}
          >
            {t("Yes, take it back")}
          </ConfirmAct>
        </div>
      )}
    </article>
  );
}
