import type { Activity } from "#community/activity";
import { Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTitleAttributes } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";

const ACTIVITY_URLS: Record<Activity["kind"], (activity: Activity) => string> = {
  started: ({ id }) => urls.discussion(id),
  answered: ({ id }) => urls.post(id),
  added: ({ id }) => urls.resource(id),
  joined: ({ group, id }) => urls.group(group?.slug ?? id),
};

/** A person's activity as a timeline, newest first. */
export function ActivityTimeline({ activities }: { activities: Activity[] }) {
  return (
    <ol className="timeline mt-5">
      {activities.map((activity) => (
        <li key={`${activity.kind}-${activity.id}`}>
          <p>
            <ActivityText activity={activity} />
          </p>
          <p className="text-small text-quiet">
            <Time at={activity.at} />
            {activity.group && activity.kind !== "joined" && (
              <>
                {" "}
                ·{" "}
                <Link to={urls.group(activity.group.slug)} dir="auto" className="text-quiet">
                  {activity.group.name}
                </Link>
              </>
            )}
          </p>
        </li>
      ))}
    </ol>
  );
}

function ActivityText({ activity }: { activity: Activity }) {
  const titleAttributes = useTitleAttributes();
  const parts = {
    0: (
      <Link
        to={ACTIVITY_URLS[activity.kind](activity)}
        {...(activity.language ? titleAttributes(activity.language, activity.title) : { dir: "auto" })}
        className="font-semibold break-words text-ink"
      >
        {activity.title}
      </Link>
    ),
  };
  if (activity.kind === "started") return <Rich text="Started <0></0>" parts={parts} />;
  if (activity.kind === "answered") return <Rich text="Replied in <0></0>" parts={parts} />;
  if (activity.kind === "added") return <Rich text="Added <0></0> to the library" parts={parts} />;
  return <Rich text="Joined <0></0>" parts={parts} />;
}
