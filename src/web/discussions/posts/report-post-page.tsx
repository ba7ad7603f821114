import { data } from "react-router";
import { getPost, type PostOption } from "#community/discussions";
import { listFurtherReportable, NewPostReports, reportDetails, reportPosts } from "#community/moderation";
import { isSignedIn } from "#community/rules";
import { notFound } from "#platform/refusal";
import { parseForm } from "../../form-parsing.ts";
import { ButtonLink, PageHeader, pageMeta, Prose, Time, useMarkedName } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { loadGuestForm, submitGuestForm } from "../../moderation/reports/guest-report-form.ts";
import { loadCategories } from "../../moderation/reports/report-detail-fields.tsx";
import { ReportFormPage } from "../../moderation/reports/report-form-page.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/report-post-page";

export const loader = defineLoader(async ({ ctx, app, db, viewer, params }) => {
  const post = await getPost(db, viewer, params["postId"]!, { reveal: true });
  // If the viewer's own report has hidden the post, the confirmation of that report is still shown.
  if ((post.html === null && post.stub !== "hidden") || post.mine) throw notFound();
  const { id, number, html, author, createdAt, resourceId } = post;
  const categories = await loadCategories(app);
  const guest = await loadGuestForm(ctx);
  const further = html === null ? [] : await listFurtherReportable(db, viewer, id);
  return { id, number, html, author, createdAt, comment: resourceId !== null, categories, guest, further };
});

export const action = defineAction(async ({ ctx, app, viewer, form, params }) => {
  const postId = params["postId"] ?? "";
  const details = reportDetails(await loadCategories(app));
  if (!isSignedIn(viewer)) {
    await submitGuestForm(ctx, form, { kind: "post", subjectId: postId }, details);
    return data({ reported: true });
  }
  form.set("postId", postId);
  const schema = NewPostReports.extend(details);
  await app.database.inTransaction((tx) => reportPosts(tx, viewer, parseForm(schema, form)));
  return data({ reported: true });
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ comment }, t) => ({
  title: comment ? t("Report comment") : t("Report post"),
  hidden: true,
}));

/** Reports a post to the moderators, with a reason. */
export default function ReportPost({ loaderData: post }: Route.ComponentProps) {
  const t = useTranslate();
  const markedName = useMarkedName();
  const reported = useFormResult<{ reported?: true }>()?.reported;
  const { html, comment } = post;
  const title = comment ? t("Report comment") : t("Report post");
  const back = (
    <ButtonLink to={urls.post(post.id)}>
      {reported || html === null ? t("Back to post") : t("Cancel")}
    </ButtonLink>
  );
  if (html === null && !reported)
    return (
      <>
        <PageHeader title={title} />
        <p className="mb-4">
          {t("Others have reported this too. It is hidden until a moderator has reviewed it.")}
        </p>
        {back}
      </>
    );
  return (
    <ReportFormPage
      title={title}
      description={t("Moderators will see this text, your comment and your name.")}
      thanks={t(
        "Thank you. Moderators will review it. The author does not learn who reported it, and you are " +
          "notified of the decision.",
      )}
      categories={post.categories}
      guest={post.guest}
      back={back}
      fields={post.further.length > 0 && <FurtherPosts posts={post.further} />}
    >
      <figure className="mt-6 rounded-panel border border-line bg-surface p-3">
        <figcaption className="mb-1 text-small text-quiet">
          <bdi>{post.author ? markedName(post.author) : t("Someone")}</bdi> · #{post.number} ·{" "}
          <Time at={post.createdAt} />
        </figcaption>
        <Prose html={html ?? ""} className="message-text" />
      </figure>
    </ReportFormPage>
  );
}

/** Other posts of the same author in the same place, to report with the same reason. */
function FurtherPosts({ posts }: { posts: PostOption[] }) {
  const t = useTranslate();
  return (
    <details>
      <summary className="cursor-pointer">{t("Report further posts of this author")}</summary>
      <fieldset className="mt-2 grid gap-2">
        <legend className="sr-only">{t("Further posts of this author")}</legend>
        {posts.map(({ id, number, excerpt }) => (
          <label key={id} className="check items-start">
            <input type="checkbox" name="furtherIds[]" value={id} />
            <span dir="auto" className="min-w-0 break-words">
              #{number} · {excerpt}
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
