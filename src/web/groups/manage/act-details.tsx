import type { Group } from "#community/groups";
import type { LoggedAct } from "#community/moderation";
import type { GroupFacts } from "#community/rules";
import { Time } from "../../ui/index.ts";
import { Rich, useWords } from "../../words/index.ts";
import { useGroupWords } from "../words.ts";
import { FIELDS } from "./changed-fields.ts";

type Door = Pick<GroupFacts, "visibility" | "joinPolicy" | "historyPolicy">;

/** The changed fields, or how long the action lasts; nothing if its name says it all. */
export function ActDetails({ group, row: { act, details } }: { group: Group; row: LoggedAct }) {
  const t = useWords();
  const { sentence, visibility } = useGroupWords();
  switch (act) {
    case "group.changed":
      return <Changed fields={String(details["changed"] ?? "")} nameBefore={details["nameBefore"]} />;
    case "group.door_changed":
    case "group.opened":
      return (
        <Doors
          now={details as unknown as Door}
          before={doorBefore(details)}
          said={(door) => sentence({ ...door, invitesBy: group.invitesBy })}
        />
      );
    case "group.opening_announced":
      return (
        <Rich
          text="{visibility}, from <0></0> on"
          values={{ visibility: visibility[details["visibility"] as Door["visibility"]] }}
          parts={[<Time at={new Date(String(details["at"]))} />]}
        />
      );
    case "group.banned":
      return details["until"] ? (
        <Rich text="ends <0></0>" parts={[<Time at={new Date(String(details["until"]))} />]} />
      ) : (
        t("Until it is lifted")
      );
    case "group.picture_changed":
      return details["which"] === "cover" ? t("Cover") : t("Photo");
    default:
      return null;
  }
}

/** Older entries lack the previous values. */
const doorBefore = (details: LoggedAct["details"]): Door | null =>
  details["visibilityBefore"]
    ? ({
        visibility: details["visibilityBefore"],
        joinPolicy: details["joinPolicyBefore"],
        historyPolicy: details["historyPolicyBefore"],
      } as Door)
    : null;

function Doors({ now, before, said }: { now: Door; before: Door | null; said: (door: Door) => string }) {
  const t = useWords();
  return (
    <>
      {said(now)}
      {before && <span className="block">{t("Before: {what}", { what: said(before) })}</span>}
    </>
  );
}

function Changed({ fields, nameBefore }: { fields: string; nameBefore: LoggedAct["details"][string] | undefined }) {
  const t = useWords();
  const names: Record<(typeof FIELDS)[number], string> = {
    name: t("Name"),
    purpose: t("Purpose"),
    topic: t("Topic"),
    about: t("About"),
    rules: t("Rules"),
    questions: t("Questions for who asks to join"),
    repliesBy: t("Who replies"),
    startsBy: t("Who starts discussions"),
    invitesBy: t("Who invites"),
  };
  const changed = FIELDS.filter((field) => fields.split(",").includes(field));
  // Older entries list all fields of the form as changed, whichever were.
  if (FIELDS.every((field) => changed.includes(field) || field === "repliesBy")) return null;
  return (
    <>
      {changed.map((field) => names[field]).join(" · ")}
      {nameBefore && <span className="block">{t("Before: {what}", { what: String(nameBefore) })}</span>}
    </>
  );
}
