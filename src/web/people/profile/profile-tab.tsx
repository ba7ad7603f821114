import type { PreviewRole } from "#community/friends";
import type { Profile } from "#community/accounts";
import { ResourceRow } from "../../resources/library/resource-row.tsx";
import { DiscussionList } from "../../discussions/lists/discussion-list.tsx";
import { EmptyState, NextPageLink, Prose, Tabs, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTitleAttributes, useTranslate } from "../../i18n/index.ts";
import { ProfileFieldValue } from "./profile-field-value.tsx";
import { CommonGroupsAndFriends } from "./common-groups-and-friends.tsx";
import type { ProfileTabData } from "./profile-data.ts";
import { ActivityTimeline } from "./activity-timeline.tsx";
import { Link } from "../../ui/navigation/link.tsx";

type Props = { person: Profile; tab: ProfileTabData; as?: PreviewRole };

/** One tab of a profile. With `as`, its links repeat the preview role. */
export function ProfileTab({ person, tab, as }: Props) {
  const t = useTranslate();
  const names = {
    about: t("About"),
    activity: t("Activity"),
    discussions: t("Discussions"),
    replies: t("Replies"),
    resources: t("Resources"),
    groups: t("Groups"),
  };
  const to = (name: string) => urls.person(person.id, { tab: name === "about" ? undefined : name, as });
  const tabs = Object.entries(names).map(([name, label]) => ({
    to: to(name),
    label,
    current: tab.name === name,
  }));
  return (
    <>
      <div className="mt-5">
        <Tabs label={t("About {name}", { name: person.name })} tabs={tabs} wraps="always" />
      </div>
      {tab.name === "about" ? (
        <AboutSection person={person} tab={tab} />
      ) : (
        <section aria-labelledby="open-tab">
          <h2 id="open-tab" className="sr-only">
            {names[tab.name]}
          </h2>
          {tab.rows.length === 0 ? (
            <EmptyTab name={person.name} tab={tab.name} />
          ) : (
            <TabRows person={person} tab={tab} />
          )}
          <NextPageLink to={tab.next && urls.person(person.id, { tab: tab.name, after: tab.next, as })} />
        </section>
      )}
    </>
  );
}

type ListTab = Exclude<ProfileTabData, { name: "about" }>;

function TabRows({ person, tab }: { person: Profile; tab: ListTab }) {
  if (tab.name === "activity") return <ActivityTimeline activities={tab.rows} />;
  if (tab.name === "discussions") return <DiscussionList rows={tab.rows} />;
  if (tab.name === "replies") return <ReplyList rows={tab.rows} />;
  if (tab.name === "groups") return <PersonGroups isSelf={person.isSelf} rows={tab.rows} />;
  return (
    <ul className="mt-2">
      {tab.rows.map((row) => (
        <ResourceRow key={row.id} row={row} />
      ))}
    </ul>
  );
}

function EmptyTab({ name, tab }: { name: string; tab: ListTab["name"] }) {
  const t = useTranslate();
  const titles = {
    activity: t("{name} has no content that you can see yet.", { name }),
    discussions: t("{name} has not started a discussion that you can read.", { name }),
    replies: t("{name} has not written a reply that you can read.", { name }),
    resources: t("{name} has not added anything to the library that you can see.", { name }),
    groups: t("{name} is not in any group that you can see.", { name }),
  };
  return (
    <div className="mt-5">
      <EmptyState title={titles[tab]}>
        {tab === "groups" && t("Only members of a private or secret group can see who is in it.")}
      </EmptyState>
    </div>
  );
}

type AboutTab = Extract<ProfileTabData, { name: "about" }>;

function AboutSection({ person, tab: { inCommon, friendCount } }: { person: Profile; tab: AboutTab }) {
  const t = useTranslate();
  const { about } = person;
  if (!about) return null;
  const own = about.fields
    .filter((field) => field.value !== "")
    .map(({ label, value }) => ({ label, kind: "line" as const, said: [value] }));
  const fields = [...about.answers, ...own];
  return (
    <div className="mt-5 grid grid-cols-1 gap-6 px-4">
      <section aria-labelledby="about">
        <h2 id="about" className="sr-only">
          {t("About")}
        </h2>
        {about.bioHtml ? (
          <Prose html={about.bioHtml} />
        ) : (
          <p className="text-quiet">
            {person.isSelf
              ? t("Your profile is empty. A sentence about you and your interests is enough.")
              : t("{name} has not posted anything yet.", { name: person.name })}
          </p>
        )}
      </section>
      {fields.length > 0 && (
        <dl className="grid gap-x-6 gap-y-3 phone:grid-cols-[10rem_1fr]">
          {fields.map((field, i) => (
            <div key={`${i}-${field.label}`} className="contents">
              <dt dir="auto" className="font-semibold">
                {field.label}
              </dt>
              <dd dir="auto" className="-mt-2 break-words phone:mt-0">
                <ProfileFieldValue kind={field.kind} said={field.said} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {friendCount !== null && friendCount > 0 && (
        <p className="text-quiet">
          {t("{count, plural, one {# friend} other {# friends}}", { count: friendCount })}
        </p>
      )}
      {inCommon && <CommonGroupsAndFriends {...inCommon} />}
    </div>
  );
}

function ReplyList({ rows }: { rows: Extract<ProfileTabData, { name: "replies" }>["rows"] }) {
  const titleAttributes = useTitleAttributes();
  return (
    <ul className="mt-2">
      {rows.map((reply) => (
        <li key={reply.id} className="border-b border-line py-3.5 last:border-b-0" data-item>
          <h3 className="font-serif text-read font-semibold leading-6">
            <Link
              to={urls.post(reply.id)}
              {...titleAttributes(reply.language, reply.title)}
              className="break-words text-ink"
            >
              {reply.title}
            </Link>
          </h3>
          <p dir="auto" className="mt-0.5 line-clamp-3 break-words">
            {reply.excerpt}
          </p>
          <p className="mt-0.5 text-small text-quiet">
            <Link to={urls.group(reply.group.slug)} dir="auto" className="text-quiet">
              {reply.group.name}
            </Link>{" "}
            · <Time at={reply.createdAt} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function PersonGroups({
  isSelf,
  rows,
}: {
  isSelf: boolean;
  rows: Extract<ProfileTabData, { name: "groups" }>["rows"];
}) {
  const t = useTranslate();
  return (
    <ul className="mt-2">
      {rows.map((group) => (
        <li key={group.id} className="border-b border-line py-3.5 last:border-b-0">
          <h3 className="font-serif text-read font-semibold">
            <Link to={urls.group(group.slug)} dir="auto" className="text-ink">
              {group.name}
            </Link>
          </h3>
          <p dir="auto" className="text-quiet">
            {group.purpose}
          </p>
          <p className="text-small text-quiet">
            {t("{count, plural, one {# member} other {# members}}", { count: group.membersCount })}
            {group.viewerState === "member" && !isSelf && <> · {t("you are a member too")}</>}
          </p>
        </li>
      ))}
    </ul>
  );
}
