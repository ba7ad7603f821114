import type { ReactNode } from "react";
import type { PersonCard } from "#community/common";
import { ActionForm } from "../../people/action-form.tsx";
import { PersonLink, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { SettingsSectionProps } from "./settings-data.ts";

/** People the viewer blocks or mutes, each with the date and a button to undo it. */
export function BlockedPeople({ data }: SettingsSectionProps<"privacy">) {
  const t = useTranslate();
  const { blocked, muted } = data;
  return (
    <>
      <UnblockedNotice data={data} />
      <PeopleList
        title={t("Blocked people")}
        none={t(
          "You have not blocked anyone. Blocked people can neither message you nor see your profile. " +
            "Block people on their profile.",
        )}
      >
        {blocked.map((person) => (
          <PersonListRow
            key={person.id}
            person={person}
            since={<Rich text="since <0></0>" parts={{ 0: <Time at={person.since} /> }} />}
          >
            <ActionForm
              intent="unblock"
              fields={{ id: person.id }}
              busy={t("One moment…")}
              label={t("Unblock {name}", { name: person.name })}
            >
              {t("Unblock")}
            </ActionForm>
          </PersonListRow>
        ))}
      </PeopleList>
      <PeopleList
        title={t("Muted people")}
        none={t(
          "You have not muted anyone. You get no notifications from muted people, and they are not " +
            "notified. Mute people on their profile.",
        )}
      >
        {muted.map((person) => (
          <PersonListRow
            key={person.id}
            person={person}
            since={
              person.until ? (
                <Rich
                  text="since <0></0>, until <1></1>"
                  parts={{ 0: <Time at={person.since} />, 1: <Time at={person.until} /> }}
                />
              ) : (
                <Rich text="since <0></0>" parts={{ 0: <Time at={person.since} /> }} />
              )
            }
          >
            <ActionForm
              intent="unmute"
              fields={{ id: person.id, ...(person.until && { until: String(person.until.getTime()) }) }}
              busy={t("One moment…")}
              label={t("Unmute {name}", { name: person.name })}
            >
              {t("Unmute")}
            </ActionForm>
          </PersonListRow>
        ))}
      </PeopleList>
    </>
  );
}

function UnblockedNotice({ data: { saved, back, until } }: Pick<SettingsSectionProps<"privacy">, "data">) {
  const t = useTranslate();
  if (!back || (saved !== "unblock" && saved !== "unmute")) return null;
  const { id, name } = back;
  return (
    <div className="notice flex flex-wrap items-center justify-between gap-2" role="status">
      <p dir="auto">
        {saved === "unblock" ? t("You unblocked {name}.", { name }) : t("You unmuted {name}.", { name })}
      </p>
      <ActionForm
        intent={saved === "unblock" ? "block" : "mute"}
        fields={{ id, ...(until && { until }) }}
        busy={t("One moment…")}
      >
        {t("Undo")}
      </ActionForm>
    </div>
  );
}

const PeopleList = ({ title, none, children }: { title: string; none: string; children: ReactNode[] }) => (
  <div>
    <h3 className="mb-2 font-semibold">{title}</h3>
    {children.length === 0 ? (
      <p className="text-quiet">{none}</p>
    ) : (
      <ul className="border-t border-line">{children}</ul>
    )}
  </div>
);

const PersonListRow = ({
  person,
  since,
  children,
}: {
  person: PersonCard;
  since: ReactNode;
  children: ReactNode;
}) => (
  <li className="flex items-center justify-between gap-3 border-b border-line py-2.5">
    <div className="min-w-0">
      <PersonLink person={person} />
      <p className="text-small text-quiet">{since}</p>
    </div>
    {children}
  </li>
);
