import { DiscussionList } from "../discussions/lists/discussion-list.tsx";
import { GroupCards } from "../groups/discover/group-card.tsx";
import { FeaturedResources } from "../resources/library/featured-resources.tsx";
import { ButtonLink, HeaderPicture, Prose, useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import type { GuestHomeData } from "./home-data.ts";
import { Link } from "../ui/navigation/link.tsx";

/** The home page for guests: a description of the community and its public content. */
export function GuestHome({
  data: { registration, welcome, people, top, groups, featured },
}: {
  data: GuestHomeData;
}) {
  const t = useTranslate();
  const { community } = useRootData();
  const closed = registration === "closed";
  return (
    <>
      <HeaderPicture headerId={null} style={community.ground ?? "meadow"} className="h-32 phone:h-44" />
      <header className="mt-6">
        <h1 dir="auto" className="font-serif text-headline font-semibold phone:text-display">
          {community.name}
        </h1>
        <p dir="auto" className="mt-1 max-w-[48ch] text-large text-quiet">
          {community.sentence}
        </p>
        {people !== null && (
          <p className="mt-1 text-quiet">
            {t("{count, plural, one {# member} other {# members}}", { count: people })}
          </p>
        )}
        <div className="mt-5 flex flex-wrap gap-2">
          {!closed && (
            <ButtonLink kind="primary" to={urls.register()}>
              <i className="icon icon-user-plus size-4" />
              {t("Sign up")}
            </ButtonLink>
          )}
          <ButtonLink kind={closed ? "primary" : "plain"} to={urls.login()} data-sign-in>
            <i className="icon icon-log-in size-4" />
            {t("Sign in")}
          </ButtonLink>
        </div>
        <p className="mt-2 text-small text-quiet">
          {registration === "approval" && <>{t("New accounts need approval.")} </>}
          {closed && <>{t("Registration is by invitation only.")} </>}
          <Rich
            text="<0>Rules</0> · <1>Privacy</1>"
            parts={{
              0: <Link to={urls.rules()} className="text-quiet" />,
              1: <Link to={urls.privacy()} className="text-quiet" />,
            }}
          />
        </p>
      </header>
      {welcome && (
        <section aria-labelledby="welcome" className="mt-6 border-t border-line pt-6">
          <h2 id="welcome" className="sr-only">
            {t("Welcome")}
          </h2>
          <Prose html={welcome} />
        </section>
      )}
      {featured.length > 0 && (
        <div className="mt-10">
          <FeaturedResources rows={featured} />
        </div>
      )}
      {top.length > 0 && (
        <section aria-labelledby="worth" className="mt-10">
          <h2 id="worth" className="font-serif text-title font-semibold">
            {t("Top this month")}
          </h2>
          <p className="text-quiet">{t("These discussions are public, like the groups below.")}</p>
          <DiscussionList rows={top} />
          <p className="mt-3">
            <Link to={urls.discussions()}>{t("All public discussions")}</Link>
          </p>
        </section>
      )}
      {groups.length > 0 && (
        <section aria-labelledby="groups" className="mt-10">
          <h2 id="groups" className="mb-3 font-serif text-title font-semibold">
            {t("Groups")}
          </h2>
          <GroupCards rows={groups} />
          <p className="mt-4">
            <Link to={urls.groups()}>{t("All public groups")}</Link>
          </p>
        </section>
      )}
    </>
  );
}
