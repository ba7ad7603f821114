import { ActionForm } from "../../../people/action-form.tsx";
import { Notice } from "../../../ui/index.ts";
import { Link } from "../../../ui/navigation/link.tsx";
import { urls } from "../../../urls.ts";
import { useTranslate } from "../../../i18n/index.ts";
import type { SettingsSectionProps } from "../settings-data.ts";
import { AutosaveForm } from "../autosave-form.tsx";

/** Notification level for each group. */
export function GroupLevels(part: SettingsSectionProps<"notifications">) {
  const t = useTranslate();
  const { groups } = part.data.notices;
  if (groups.length === 0) return null;
  const levels = [
    { value: "all", label: t("Everything") },
    { value: "highlights", label: t("Replies, mentions, announcements and events") },
    { value: "mentions", label: t("Mentions only") },
    { value: "mute", label: t("Nothing") },
  ];
  return (
    <AutosaveForm {...part} anchor intent="notify-groups" title={t("Groups")} save={t("Save groups")}>
      <ul className="border-t border-line">
        {groups.map((group) => (
          <li
            key={group.id}
            id={`notify-group-${group.id}`}
            className="flex scroll-mt-20 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b
              border-line py-2 target:bg-accent-soft"
          >
            <Link to={urls.group(group.slug)} className="min-w-0 flex-1 break-words text-ink" dir="auto">
              {group.name}
            </Link>
            <select
              name={`notify-groups-${group.id}`}
              aria-label={t("Notifications of {group}", { group: group.name })}
              defaultValue={group.level}
              className="input w-full phone:w-72"
            >
              {levels.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </AutosaveForm>
  );
}

/** Discussions the viewer watches or mutes. Each can be reset to the default, and the reset can be undone. */
export function FollowedDiscussions({ data }: SettingsSectionProps<"notifications">) {
  const t = useTranslate();
  const { discussions } = data.notices;
  const [id, level] = data.undo.split(".");
  const undo =
    data.saved === "follow" && id && (level === "watching" || level === "muted") ? { id, level } : null;
  return (
    <div id="notify-discussions" className="scroll-mt-20">
      <h3 className="mb-2 text-base font-semibold">{t("Discussions")}</h3>
      {undo && (
        <Notice tone="good">
          {t("The discussion has its default notifications again.")}{" "}
          <ActionForm intent="follow" kind="quiet" fields={undo} busy={t("One moment…")}>
            {t("Undo")}
          </ActionForm>
        </Notice>
      )}
      {discussions.length === 0 && (
        <p className="text-quiet">
          {t("You do not watch or mute any discussion. You can choose both on a discussion's page.")}
        </p>
      )}
      <ul>
        {discussions.map((it) => (
          <li
            key={it.id}
            id={`notify-discussion-${it.id}`}
            className="flex scroll-mt-20 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b
              border-line py-2 target:bg-accent-soft"
          >
            <span className="min-w-0 flex-1 break-words">
              <Link to={urls.discussion(it.id)} className="text-ink" dir="auto">
                {it.title}
              </Link>{" "}
              <span className="text-small text-quiet">
                {it.level === "muted" ? t("Muted") : t("Watching")}
              </span>
            </span>
            <ActionForm
              intent="follow"
              fields={{ id: it.id, level: "normal", was: it.level }}
              busy={t("One moment…")}
              label={
                it.level === "muted"
                  ? t("Unmute: {title}", { title: it.title })
                  : t("Stop watching: {title}", { title: it.title })
              }
            >
              {it.level === "muted" ? t("Unmute") : t("Stop watching")}
            </ActionForm>
          </li>
        ))}
      </ul>
    </div>
  );
}
