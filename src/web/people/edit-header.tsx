import { redirect } from "react-router";
import { HEADER_STYLES } from "#community/common";
import { openPictures } from "#community/people";
import { membersOnly } from "../auth.ts";
import { ButtonLink, HeaderPicture, PageHead, pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/edit-header";
import { Act } from "./act.tsx";
import { Grounds } from "./grounds.tsx";
import { HeaderPreview } from "./header-preview.tsx";
import { ownProfile } from "./own-page.ts";
import { PictureForm } from "./picture-form.tsx";
import { PictureWords } from "./picture-words.tsx";
import { pictureSent } from "./picture-sent.ts";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer, params }) => {
  const { id, about } = await ownProfile(db, viewer, params["id"]);
  return { id, header: about!.header, styles: HEADER_STYLES };
});

export const action = acting(async ({ db, house, viewer, form, params }) => {
  const { id } = await ownProfile(db, viewer, params["id"]);
  const pictures = openPictures(house);
  const intent = form.get("intent");
  if (intent === "describe") await pictures.describeHeader(viewer, id, String(form.get("words") ?? ""));
  else if (intent === "remove") await pictures.removeHeader(viewer, id);
  else if (intent === "ground") await pictures.setHeaderStyle(viewer, id, String(form.get("style")));
  else await pictures.setHeader(viewer, id, await pictureSent(form));
  return redirect(urls.person(id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Your header"), hidden: true }));

const SHAPE = { width: 1500, height: 500 };

export default function EditHeader({ loaderData: { id, header, styles } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={t("Your header")}
        lead={t("The band above your profile: a picture, or a calm ground.")}
        actions={<ButtonLink to={urls.person(id)}>{t("Back to your profile")}</ButtonLink>}
      />
      <section aria-labelledby="now" className="mb-8">
        <h2 id="now" className="sr-only">
          {t("As it is now")}
        </h2>
        <HeaderPicture headerId={header.id} style={header.style} alt={header.alt} />
        {header.id && <PictureWords alt={header.alt} />}
        {header.id && (
          <div className="mt-3">
            <Act intent="remove" fields={{}} kind="danger" busy={t("Removing…")}>
              {t("Remove the picture")}
            </Act>
          </div>
        )}
      </section>
      <section aria-labelledby="picture" className="mb-8">
        <h2 id="picture" className="mb-3 text-large font-semibold">
          {t("A picture")}
        </h2>
        <PictureForm
          shape={SHAPE}
          alt={header.id ? header.alt : ""}
          save={t("Save the picture")}
          frame="wide"
          Preview={HeaderPreview}
          send={urls.sendPicture(id, "header")}
          then={urls.person(id)}
        />
      </section>
      <Grounds styles={styles} chosen={header.style} />
    </>
  );
}
