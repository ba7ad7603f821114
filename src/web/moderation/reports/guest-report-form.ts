import {
  type GuestReportKind,
  NewGuestReport,
  type reportDetails,
  submitGuestReport,
} from "#community/moderation";
import { checkProof, createProofChallenge, type ProofChallenge } from "#community/prevention";
import { isSignedIn } from "#community/rules";
import { parseForm } from "../../form-parsing.ts";
import type { RequestContext } from "../../request-context.ts";

/** Data of a guest's report form; null for members. */
export type GuestFormData = { challenge: ProofChallenge | null } | null;

export const loadGuestForm = async ({
  app,
  viewer,
}: Pick<RequestContext, "app" | "viewer">): Promise<GuestFormData> =>
  isSignedIn(viewer) ? null : { challenge: await createProofChallenge(app, "report") };

type GuestSubject = { kind: GuestReportKind; subjectId: string };

/** Submits the form of a guest. */
export async function submitGuestForm(
  ctx: RequestContext,
  form: FormData,
  { kind, subjectId }: GuestSubject,
  details: ReturnType<typeof reportDetails>,
): Promise<void> {
  form.set("kind", kind);
  form.set("subjectId", subjectId);
  const input = parseForm(NewGuestReport.extend(details), form);
  await submitGuestReport(ctx.app, input, {
    address: ctx.from.address,
    locale: ctx.locale,
    honeypot: String(form.get("website") ?? ""),
    proof: await checkProof(ctx.app, "report", String(form.get("proof") ?? "")),
  });
}
