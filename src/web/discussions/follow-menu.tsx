import { Form } from "react-router";
import type { FollowLevel } from "#community/discussions";
import { Menu } from "../ui/index.ts";
import { useTranslate } from "../i18n/index.ts";

/** The follow level of a discussion. */
export function FollowMenu({ level }: { level: FollowLevel }) {
  const t = useTranslate();
  const levels: LevelChoice<FollowLevel>[] = [
    { value: "watching", name: t("Watching"), means: t("Notify me of every reply") },
    { value: "tracking", name: t("Tracking"), means: t("Show unread replies first") },
    { value: "normal", name: t("Normal"), means: t("Notify me of replies to me and mentions") },
    { value: "muted", name: t("Muted"), means: t("Never notify me or count as unread") },
  ];
  return <LevelMenu level={level} levels={levels} />;
}

export type LevelChoice<Level extends string> = { value: Level; name: string; means: string };

/** A menu of follow levels. Every choice is a submit button. */
export function LevelMenu<Level extends string>({
  level,
  levels,
}: {
  level: Level;
  levels: LevelChoice<Level>[];
}) {
  const t = useTranslate();
  const current = levels.find(({ value }) => value === level)!;
  const icon = level === "muted" ? "bell-off" : level === "watching" ? "bell-ring" : "bell";
  return (
    <Menu
      label={t("Follow: {level}", { level: current.name })}
      summary={
        <>
          <i className={`icon icon-${icon} size-4`} />
          {current.name}
        </>
      }
    >
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="follow" />
        {levels.map(({ value, name, means }) => (
          <button
            key={value}
            type="submit"
            name="level"
            value={value}
            className="menu-item"
            aria-current={value === level || undefined}
          >
            <i className={`icon icon-check size-4 ${value === level ? "text-accent" : "invisible"}`} />
            <span>
              {name}
              <span className="block text-small text-quiet">{means}</span>
            </span>
          </button>
        ))}
      </Form>
    </Menu>
  );
}
