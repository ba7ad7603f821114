import type { ReactNode } from "react";
import type { ResourceCard } from "#community/resources";
import { KindIcon } from "../resources/library/resource-kinds.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTitleAttributes, useTranslate } from "../i18n/index.ts";
import type { EventSummary, GuestHomeData, MemberHomeData } from "./home-data.ts";
import { OnlineFriends } from "./online-friends.tsx";

/** Beside the home page: friends online, events to come, and new resources; each only if there are any. */
export function HomeAside({ data }: { data: MemberHomeData | GuestHomeData }) {
  return (
    <>
      {data.kind === "member" && <OnlineFriends friends={data.onlineFriends} />}
      {data.events.length > 0 && <ComingUp rows={data.events} />}
      {data.kind === "member" && data.newResources.length > 0 && <NewResources rows={data.newResources} />}
    </>
  );
}

function ComingUp({ rows }: { rows: EventSummary[] }) {
  const t = useTranslate();
  return (
    <AsideSection title={t("Coming up")} to={urls.events()}>
      {rows.map(({ id, eventId, title, when }) => (
        <AsideRow
          key={id}
          to={urls.event(eventId)}
          icon={<i className="icon icon-calendar-days" />}
          title={<bdi>{title}</bdi>}
        >
          {when ?? t("Cancelled")}
        </AsideRow>
      ))}
    </AsideSection>
  );
}

function NewResources({ rows }: { rows: ResourceCard[] }) {
  const t = useTranslate();
  const titleAttributes = useTitleAttributes();
  return (
    <AsideSection title={t("New resources")} to={urls.resources()}>
      {rows.map(({ id, kind, title, language, createdAt }) => (
        <AsideRow
          key={id}
          to={urls.resource(id)}
          icon={<KindIcon kind={kind} />}
          title={<span {...titleAttributes(language, title)}>{title}</span>}
        >
          <Time at={createdAt} />
        </AsideRow>
      ))}
    </AsideSection>
  );
}

const AsideSection = ({ title, to, children }: { title: string; to: string; children: ReactNode }) => (
  <section aria-label={title} className="mb-6">
    <h2 className="mb-1 px-2.5 text-small font-semibold">
      <Link to={to} className="text-quiet no-underline hover:underline">
        {title}
      </Link>
    </h2>
    <ul>{children}</ul>
  </section>
);

type AsideRowProps = { to: string; icon: ReactNode; title: ReactNode; children: ReactNode };

const AsideRow = ({ to, icon, title, children }: AsideRowProps) => (
  <li>
    <Link to={to} className="rail-link">
      {icon}
      <span className="min-w-0 flex-1 leading-5">
        <span className="line-clamp-2 break-words">{title}</span>
        <span className="text-small text-quiet figures">{children}</span>
      </span>
    </Link>
  </li>
);
