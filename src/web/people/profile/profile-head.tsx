import type { Profile } from "#community/accounts";
import { Avatar, ButtonLink, HeaderPicture, Tag, Time, useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { RelationshipWithPerson } from "./profile-data.ts";
import { ProfileActions } from "./profile-actions.tsx";

const PHOTO = 112;

/** Name, role, details and actions of the profile. */
export function ProfileHead({
  person,
  relationship,
}: {
  person: Profile;
  relationship: RelationshipWithPerson;
}) {
  const t = useTranslate();
  const isGuest = useRootData().me === null;
  const { about } = person;
  return (
    <header>
      <HeaderPicture
        headerId={about?.header.id ?? null}
        style={about?.header.style ?? "slate"}
        alt={about?.header.alt}
      />
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3 px-4">
        <div className="relative -mt-12 rounded-full ring-4 ring-paper">
          <Photo person={person} />
        </div>
        <div className="flex flex-wrap gap-2">
          {person.isSelf ? (
            <OwnActions id={person.id} />
          ) : relationship ? (
            <ProfileActions person={person} relationship={relationship} />
          ) : (
            isGuest && (
              <ButtonLink to={urls.reportPerson(person.id)} rel="nofollow">
                {t("Report…")}
              </ButtonLink>
            )
          )}
        </div>
      </div>
      <div className="mt-3 px-4">
        <h1 dir="auto" className="break-words font-serif text-headline font-semibold">
          {person.name}
        </h1>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-quiet">
          <bdi>@{person.username}</bdi>
          {about?.pronouns && (
            <>
              <Dot />
              <span dir="auto">{about.pronouns}</span>
            </>
          )}
          <Role role={person.role} />
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-small text-quiet">
          {about?.location && (
            <>
              <span dir="auto">{about.location}</span>
              <Dot />
            </>
          )}
          {about && (
            <span>
              <Rich text="Joined <0></0>" parts={{ 0: <Time at={person.joinedAt} /> }} />
            </span>
          )}
          {about?.seenAt && (
            <>
              <Dot />
              <span>
                <Rich text="Last seen <0></0>" parts={{ 0: <Time at={about.seenAt} /> }} />
              </span>
            </>
          )}
        </p>
      </div>
    </header>
  );
}

const Dot = () => <span aria-hidden>·</span>;

/** Photo, with alternative text if its owner has written one. */
const Photo = ({ person }: { person: Profile }) =>
  person.photoId && person.photoAlt ? (
    <img
      src={urls.picture(person.photoId)}
      alt={person.photoAlt}
      width={PHOTO}
      height={PHOTO}
      className="rounded-full bg-sunken object-cover"
      style={{ width: PHOTO, height: PHOTO }}
    />
  ) : (
    <Avatar person={person} size={PHOTO} alone />
  );

function Role({ role }: { role: Profile["role"] }) {
  const t = useTranslate();
  if (role === "member") return null;
  return <Tag>{role === "admin" ? t("Admin") : t("Site moderator")}</Tag>;
}

function OwnActions({ id }: { id: string }) {
  const t = useTranslate();
  return (
    <>
      <ButtonLink to={urls.settings(id, "profile", "profile")}>
        <i className="icon icon-pencil size-4" />
        {t("Edit profile")}
      </ButtonLink>
      <ButtonLink to={urls.editPhoto(id)}>
        <i className="icon icon-camera size-4" />
        {t("Photo")}
      </ButtonLink>
      <ButtonLink to={urls.editHeader(id)}>
        <i className="icon icon-image size-4" />
        {t("Cover")}
      </ButtonLink>
    </>
  );
}
