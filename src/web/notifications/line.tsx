import type { NotificationLine } from "#community/notifications";
import { Folded } from "../discussions/veil.tsx";
import { Act } from "../people/act.tsx";
import { Avatar, LazyMenu, Time, useRoot } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { useSentence } from "./sentence.ts";
import { useWhy } from "./why.ts";

type Props = { line: NotificationLine; tab: string; /** The menu is open, for browsers without scripts. */ open: boolean };

/** A notification: its text, time and reason, and its menu. */
export function Line({ line, tab, open }: Props) {
  const t = useWords();
  const { me } = useRoot();
  const sentence = useSentence()(line);
  const why = useWhy()(line, me?.id ?? "");
  const [first] = line.actors;
  const said = (
    <p className={`break-words ${line.unread ? "font-[550]" : ""}`}>
      <Link to={urls.notification(line.id)} className="text-ink" dir="auto">
        {sentence}
      </Link>
      {line.unread && <span className="sr-only"> ({t("unread")})</span>}
      {line.words && (
        <span dir="auto" className="block text-quiet">
          {line.words}
        </span>
      )}
    </p>
  );
  return (
    <li
      className={`flex items-start gap-3 border-b border-line px-2 py-3 last:border-b-0 ${line.unread ? "rounded-control bg-accent-soft" : ""}`}
      data-item
      data-unread={line.unread || undefined}
    >
      {first ? <Avatar person={first} size={36} /> : <i className="icon icon-bell m-2 size-5 text-quiet" />}
      <div className="min-w-0 flex-1">
        {line.foldedFor === undefined ? said : <Folded phrase={line.foldedFor}>{said}</Folded>}
        <p className="mt-0.5 text-small break-words text-quiet">
          <Time at={line.at} />
          {line.group && line.object.kind !== "group" && (
            <>
              {" · "}
              <bdi>{line.group.name}</bdi>
            </>
          )}
          {why.words && <> · {why.words}</>}
          {why.change && (
            <>
              {" · "}
              <Link to={why.change} aria-label={t("Change this: {what}", { what: sentence })}>
                {t("Change this")}
              </Link>
            </>
          )}
        </p>
        {tab === "apart" && (
          <div className="mt-2 flex flex-wrap gap-2">
            <Act
              intent="let-out"
              fields={{ id: line.id }}
              busy={t("One moment…")}
              label={t("Show from now on: {what}", { what: sentence })}
            >
              {t("Show from now on")}
            </Act>
          </div>
        )}
      </div>
      <LazyMenu
        // Closes after an action in it.
        key={String(line.unread)}
        label={t("What to do with: {what}", { what: sentence })}
        summary={<i className="icon icon-ellipsis" />}
        to={urls.notifications({ tab: tab === "all" ? undefined : tab, more: line.id })}
        open={open}
      >
        {() => <Deeds line={line} />}
      </LazyMenu>
    </li>
  );
}

/** It was sent to members of the group. */
const isIn = ({ group, reason, detail }: NotificationLine) =>
  group !== null && (reason === "member" || reason === "you_lead" || detail === "admitted");

function Deeds({ line }: { line: NotificationLine }) {
  const t = useWords();
  const fields = { id: line.id };
  const mute = {
    discussion: t("Mute this discussion"),
    conversation: t("Mute this conversation"),
    // Only members can mute a group.
    group: isIn(line) ? t("Mute this group") : null,
    resource: t("Mute this resource"),
    person: null,
    announcement: null,
    report: null,
    search: t("Tell me of this search no longer"),
  }[line.object.kind];
  return (
    <>
      {line.unread ? (
        <Act inMenu intent="read" fields={fields} busy={t("One moment…")}>
          {t("Mark as read")}
        </Act>
      ) : (
        <Act inMenu intent="unread" fields={fields} busy={t("One moment…")}>
          {t("Mark as unread")}
        </Act>
      )}
      {mute && (
        <Act inMenu intent="mute" fields={fields} busy={t("One moment…")}>
          {mute}
        </Act>
      )}
    </>
  );
}
