import type { Profile } from "#community/people";
import { DiscussionList } from "../discussions/discussion-line.tsx";
import { Empty, NextPage, Prose, Tabs } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { FieldValue } from "./field-value.tsx";
import { InCommon } from "./in-common.tsx";
import type { OpenTab } from "./profile-data.ts";
import { Link } from "../ui/link.tsx";

/** What there is of a person, one part at a time. */
export function ProfileTab({ person, tab }: { person: Profile; tab: OpenTab }) {
  const t = useWords();
  const to = (name?: string) => urls.person(person.id, { tab: name });
  return (
    <>
      <div className="mt-5">
        <Tabs
          label={t("About {name}", { name: person.name })}
          tabs={[
            { to: to(), label: t("About"), current: tab.name === "about" },
            { to: to("discussions"), label: t("Discussions started"), current: tab.name === "discussions" },
            { to: to("groups"), label: t("Groups"), current: tab.name === "groups" },
          ]}
        />
      </div>
      {tab.name === "about" && <About person={person} inCommon={tab.inCommon} />}
      {tab.name === "discussions" && <Started name={person.name} rows={tab.rows} />}
      {tab.name === "groups" && <GroupsOf person={person} rows={tab.rows} />}
      {tab.name !== "about" && <NextPage to={tab.next && urls.person(person.id, { tab: tab.name, after: tab.next })} />}
    </>
  );
}

type AboutTab = Extract<OpenTab, { name: "about" }>;

function About({ person, inCommon }: { person: Profile; inCommon: AboutTab["inCommon"] }) {
  const t = useWords();
  const { about } = person;
  if (!about) return null;
  const own = about.fields
    .filter((field) => field.value !== "")
    .map(({ label, value }) => ({ label, kind: "line" as const, said: [value] }));
  const fields = [...about.answers, ...own];
  return (
    <div className="mt-5 grid gap-6 px-4">
      <section aria-labelledby="about">
        <h2 id="about" className="sr-only">
          {t("About")}
        </h2>
        {about.bioHtml ? (
          <Prose html={about.bioHtml} />
        ) : (
          <p className="text-quiet">
            {person.isSelf
              ? t("You have not said anything about yourself yet. A sentence and what you are curious about is plenty.")
              : t("{name} has not written anything here yet.", { name: person.name })}
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
                <FieldValue kind={field.kind} said={field.said} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {inCommon && <InCommon {...inCommon} />}
    </div>
  );
}

function Started({ name, rows }: { name: string; rows: Extract<OpenTab, { name: "discussions" }>["rows"] }) {
  const t = useWords();
  if (rows.length === 0)
    return (
      <div className="mt-5">
        <Empty title={t("{name} has not started a discussion that you can read.", { name })} />
      </div>
    );
  return (
    <section className="mt-2" aria-labelledby="started">
      <h2 id="started" className="sr-only">
        {t("Discussions started")}
      </h2>
      <DiscussionList rows={rows} />
    </section>
  );
}

function GroupsOf({ person: { name, isSelf }, rows }: { person: Profile; rows: Extract<OpenTab, { name: "groups" }>["rows"] }) {
  const t = useWords();
  if (rows.length === 0)
    return (
      <div className="mt-5">
        <Empty title={t("No group of {name} that you can see.", { name })}>
          {t("Who is in a group is known to members, and for closed groups only to those inside.")}
        </Empty>
      </div>
    );
  return (
    <ul className="mt-2">
      {rows.map((group) => (
        <li key={group.id} className="border-b border-line py-3.5 last:border-b-0">
          <h2 className="font-serif text-read font-semibold">
            <Link to={urls.group(group.slug)} dir="auto" className="text-ink">
              {group.name}
            </Link>
          </h2>
          <p dir="auto" className="text-quiet">
            {group.purpose}
          </p>
          <p className="text-small text-quiet">
            {t("{count, plural, one {# member} other {# members}}", { count: group.membersCount })}
            {group.viewerState === "member" && !isSelf && <> · {t("you are in it too")}</>}
          </p>
        </li>
      ))}
    </ul>
  );
}
