import type { Group } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { BackgroundChoice } from "../../people/pictures/background-choice.tsx";
import { HeaderPreview } from "../../people/pictures/header-preview.tsx";
import { PhotoPreview } from "../../people/pictures/photo-preview.tsx";
import { PictureForm } from "../../people/pictures/picture-form.tsx";
import { HeaderPicture } from "../../ui/index.ts";
import { BACKGROUNDS } from "../../ui/pictures/header-picture.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

const COVER_SIZE = { width: 1500, height: 500 };
const PHOTO_SIZE = { width: 400, height: 400 };

/** The header of the group: a picture, or a background. */
export function GroupCover({ group }: { group: Group }) {
  const t = useTranslate();
  return (
    <>
      <section aria-labelledby="now" className="mb-8">
        <h2 id="now" className="sr-only">
          {t("Current")}
        </h2>
        <HeaderPicture headerId={group.headerId} style={group.headerStyle} alt={group.headerAlt} />
        {group.headerId && (
          <div className="mt-3">
            <ActionForm intent="remove-cover" fields={{}} kind="danger" busy={t("Removing…")}>
              {t("Remove picture")}
            </ActionForm>
          </div>
        )}
      </section>
      <section aria-labelledby="picture" className="mb-8">
        <h2 id="picture" className="mb-3 text-large font-semibold">
          {t("A picture")}
        </h2>
        <PictureForm
          shape={COVER_SIZE}
          alt={group.headerAlt}
          save={t("Save picture")}
          frame="wide"
          Preview={HeaderPreview}
        />
      </section>
      <BackgroundChoice styles={BACKGROUNDS} chosen={group.headerStyle} />
    </>
  );
}

/** The small picture beside the group's name. */
export function GroupPhoto({ group }: { group: Group }) {
  const t = useTranslate();
  return (
    <>
      <section aria-labelledby="now" className="mb-6 flex flex-wrap items-center gap-4">
        <h2 id="now" className="sr-only">
          {t("Current")}
        </h2>
        {group.photoId ? (
          <>
            <img
              src={urls.picture(group.photoId)}
              alt={group.photoAlt}
              width={96}
              height={96}
              className="size-24 rounded-panel bg-sunken object-cover"
            />
            <ActionForm intent="remove-photo" fields={{}} kind="danger" busy={t("Removing…")}>
              {t("Remove photo")}
            </ActionForm>
          </>
        ) : (
          <p className="text-quiet">{t("No photo yet. It is shown beside the group's name.")}</p>
        )}
      </section>
      <PictureForm
        shape={PHOTO_SIZE}
        alt={group.photoAlt}
        save={t("Save photo")}
        frame="wide"
        Preview={PhotoPreview}
      />
    </>
  );
}
