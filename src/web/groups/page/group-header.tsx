import { Avatar, ButtonLink, HeaderPicture, useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { GroupData } from "./group-data.ts";
import { MembershipAction } from "../join/membership-action.tsx";
import { MembershipMenu } from "../join/membership-menu.tsx";
import { useGroupTexts } from "../group-texts.ts";
import { Link } from "../../ui/navigation/link.tsx";

export function GroupHeader({ data: { group, can } }: { data: GroupData }) {
  const t = useTranslate();
  const { access, members, audience } = useGroupTexts();
  const { me } = useRootData();
  return (
    <header className="mb-4">
      <HeaderPicture
        headerId={group.headerId}
        style={group.headerStyle}
        alt={group.headerAlt}
        className="h-16 phone:h-36"
      />
      <div className="mt-3 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        {group.photoId && (
          <img
            src={urls.picture(group.photoId)}
            alt={group.photoAlt}
            width={64}
            height={64}
            className="size-16 flex-none rounded-panel bg-sunken object-cover"
          />
        )}
        <h1
          dir="auto"
          className="min-w-0 flex-1 basis-64 font-serif text-title font-semibold phone:text-headline"
        >
          {group.name}
        </h1>
        <div className="order-last flex w-full flex-wrap items-start gap-2 phone:order-none phone:w-auto">
          {can.start && (
            <ButtonLink kind="primary" to={urls.newDiscussion(group.slug)} data-compose>
              <i className="icon icon-plus max-phone:hidden size-4" />
              {t("New discussion")}
            </ButtonLink>
          )}
          {can.leave && <MembershipMenu group={group} />}
          {!can.leave && !can.ask && <MembershipAction group={group} can={can} inside />}
        </div>
        {group.purpose && (
          <p dir="auto" className="-mt-2 basis-full line-clamp-2 phone:line-clamp-none phone:text-read">
            {group.purpose}
          </p>
        )}
      </div>
      <p className="mt-2 text-small text-quiet figures">
        {access(group)} · {group.visibility === "public" && <>{members(group.membersCount)} · </>}
        {audience(group)}
      </p>
      {group.faces.length > 0 && can.seeMembers && me && (
        <Link
          to={urls.group(group.slug, { tab: "members" })}
          className="mt-2 hidden rounded-full -space-x-2 phone:inline-flex"
        >
          <span className="sr-only">{t("Members of {group}", { group: group.name })}</span>
          {group.faces.map((person) => (
            <span key={person.id} className="inline-flex rounded-full ring-2 ring-paper">
              <Avatar person={person} size={32} />
            </span>
          ))}
        </Link>
      )}
    </header>
  );
}
