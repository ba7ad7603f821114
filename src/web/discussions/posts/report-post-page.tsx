import { data } from "react-router";
import { getPost } from "#community/discussions";
import { NewPostReport, reportPost } from "#community/moderation";
import { notFound } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { parseForm } from "../../form-parsing.ts";
import { ButtonLink, PageHeader, pageMeta, Prose, Time } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { ReportFormPage } from "../../moderation/report-form-page.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/report-post-page";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ db, viewer, params }) => {
  const post = await getPost(db, viewer, params["postId"]!, { reveal: true });
  // This very report may have hidden the post: its reporter is thanked all the same.
  if ((post.html === null && post.stub !== "hidden") || post.mine) throw notFound();
  const { id, number, html, author, createdAt, resourceId } = post;
  return { id, number, html, author, createdAt, comment: resourceId !== null };
});

export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("postId", params["postId"] ?? "");
  await app.database.inTransaction((tx) => reportPost(tx, viewer, parseForm(NewPostReport, form)));
  return data({ reported: true });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ comment }, t) => ({
  title: comment ? t("Report a comment") : t("Report a post"),
  hidden: true,
}));

/** Reports a post to the moderators, with a reason. */
export default function ReportPost({ loaderData: post }: Route.ComponentProps) {
  const t = useTranslate();
  const reported = useFormResult<{ reported?: true }>()?.reported;
  const { html, comment } = post;
  const title = comment ? t("Report a comment") : t("Report a post");
  const back = <ButtonLink to={urls.post(post.id)}>{t("Back to where it stands")}</ButtonLink>;
  if (html === null && !reported)
    return (
      <>
        <PageHeader title={title} />
        <p className="mb-4">{t("Others have reported this meanwhile. It is hidden until somebody has looked at it.")}</p>
        {back}
      </>
    );
  return (
    <ReportFormPage
      title={title}
      says={t(
        "Those who look after where it stands, and after this community, will see this text as it is now, what you say about it, and your name.",
      )}
      thanks={t("Thank you. Those who look after it will read it. Whoever wrote it is not told that it was you, and you hear how it ends.")}
      back={back}
    >
      <figure className="mt-6 rounded-panel border border-line bg-surface p-3">
        <figcaption className="mb-1 text-small text-quiet">
          <bdi>{post.author?.name ?? t("Somebody")}</bdi> · #{post.number} · <Time at={post.createdAt} />
        </figcaption>
        <Prose html={html ?? ""} className="message-text" />
      </figure>
    </ReportFormPage>
  );
}
